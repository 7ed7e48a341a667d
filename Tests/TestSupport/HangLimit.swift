public import Testing

extension Trait where Self == TimeLimitTrait {
    /// A limit of an hour, for tests that would wait forever if an event never occurred.
    ///
    /// It is not a limit on speed. All tests of a run start at once and take turns, so each test can take as long as
    /// the whole run, which is several minutes on a slow machine.
    ///
    /// ```swift
    /// @Test("the end of the store ends the stream", .hangLimit)
    /// ```
    public static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
