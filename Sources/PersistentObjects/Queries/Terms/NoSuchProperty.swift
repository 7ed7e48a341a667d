/// A type without values that the compiler names if a property name is misspelled.
///
/// It appears in errors of conditions, updates and typed finders.
public enum `the class has no such property` {}
