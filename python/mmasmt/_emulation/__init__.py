"""Products of whole models, for any framework: units, plans, and the log of what was done."""
