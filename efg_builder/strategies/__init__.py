"""What a strategy is: its forms, and how it is read, completed and written. Nobody plays or judges here."""
