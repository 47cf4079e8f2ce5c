"""Small games as `.efg` text, for several test modules."""

BATTLE = """EFG 2 R "Battle of the Sexes" { "Row" "Col" } ""
p "" 1 1 "r" { "Opera" "Fight" } 0
p "" 2 1 "c" { "Opera" "Fight" } 0
t "" 1 "" { 2 1 }
t "" 2 "" { 0 0 }
p "" 2 1 "c" { "Opera" "Fight" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 1 2 }
"""
