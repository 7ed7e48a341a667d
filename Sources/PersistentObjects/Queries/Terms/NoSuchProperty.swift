/// The type of no value: the compiler names it where a condition, an update or a typed finder has a misspelt property.
public enum `the class has no such property` {}
