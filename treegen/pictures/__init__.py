"""Pictures of trees and of games."""
