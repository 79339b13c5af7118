module game

go 1.18
