// Made for these tests.
var dataset = "<b>Bugs</b>, some of them true";
var binary = false;
/* chars of
   several lines */
var chars = [ ["Latin Name"],
  ["<i>Wings</i>", "none", 'one pair', "two &amp; more"], // a remark
  ["BODY|Color", "red", "black",],
  ["BODY|Color", "plain", "dotted"] ];
var items=[ [""],
  ["<i>Adalia</i> bipunctata", "3", "12", "2", "http://example.org/1,2"],
  ["Anagrus", "?", "1+2", "1"],
  ["Cimex", "1+", "1"],
  ["Lygus \"x\"", "23", "4", "?"]
];
