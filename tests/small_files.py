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

SHORT_BATTLE = """EFG 2 R "battle" { "Row" "Col" } ""
p "" 1 1 "r" { "O" "F" } 0
p "" 2 1 "c" { "O" "F" } 0
t "" 1 "" { 2 1 }
t "" 2 "" { 0 0 }
p "" 2 1 "c" { "O" "F" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 1 2 }
"""

# B does not know B's own first move any more at the second: nothing says what B's moves are worth.
B_FORGETS = """EFG 2 R "Forgetful" { "A" "B" }
""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "x" "y" } 0
p "" 2 2 "again" { "u" "v" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 0, 0 }
p "" 2 2 "again" { "u" "v" } 0
t "" 3 "" { 0, 0 }
t "" 4 "" { 1, -1 }
t "" 5 "" { 0, 0 }
"""
