// ModelRuns: random work on objects beside a model of it in plain values, driven by bytes, so that seeds, libFuzzer and
// the shrinking of a failure all speak of the same thing. It knows the library as its users do.

/// Runs of operations beside a model.
public enum ModelRuns {
    /// Does what some bytes say.
    ///
    /// - Throws: where library and model differ.
    public static func run(_ bytes: [UInt8]) throws {}
}
