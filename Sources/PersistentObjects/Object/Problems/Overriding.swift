/// Stops the program in a method that every concrete subclass overrides, because Swift has no abstract methods.
///
/// `.ci/overrides.py` proves that every concrete subclass overrides every method that calls this.
func mustOverride(_ method: StaticString = #function) -> Never {
    fatalError("\(method) is abstract")
}
