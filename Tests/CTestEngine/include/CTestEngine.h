/// Nothing for Swift: the target only runs before the first test does.
