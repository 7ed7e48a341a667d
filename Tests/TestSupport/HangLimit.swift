public import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that would wait for ever if what they wait for never came: an hour.
    ///
    /// It says nothing of speed. All tests of a run begin at once and take turns, so each of them takes as long as all
    /// of them: minutes, and more of them on a slow machine that is building something else.
    ///
    /// ```swift
    /// @Test("the end of the store ends the stream", .hangLimit)
    /// ```
    public static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
