import Testing

/// The settings of a module that uses the library.
struct Configuration: Sendable, Equatable {
    /// The name of the configuration in the heads of clients.
    var name: String
    var flags: [String]

    private init(_ name: String, mode: Int, mainActor: Bool = false, features: [String] = []) {
        self.name = name
        flags = ["-swift-version", "\(mode)"]
        if mainActor { flags += ["-default-isolation", "MainActor"] }
        for feature in features { flags += ["-enable-upcoming-feature", feature] }
    }

    static let mode6 = Configuration("mode 6", mode: 6)
    static let mode5 = Configuration("mode 5", mode: 5)
    static let mainActor = Configuration("MainActor default", mode: 6, mainActor: true)
    static let nonsending = Configuration("nonsending", mode: 6, features: ["NonisolatedNonsendingByDefault"])

    /// The setting that Xcode calls "approachable concurrency". Mode 6 includes the other features of the set.
    static let approachable = Configuration(
        "approachable concurrency", mode: 6, features: ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"])

    /// The settings of a new app in Xcode.
    static let newApp = Configuration(
        "new app", mode: 5, mainActor: true,
        features: [
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "DisableOutwardActorInference",
            "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures",
        ])

    /// The strictest configuration: a new app in mode 6, with the settings of this package.
    static let strict = Configuration(
        "strict", mode: 6, mainActor: true,
        features: [
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ExistentialAny", "InternalImportsByDefault",
            "MemberImportVisibility",
        ])

    /// The configurations in which leaks must be detected. (Mode 5 reports only some of them, and as warnings.)
    static let watchful = [mode6, mainActor]

    /// The configurations for leaks in nonisolated functions, whose isolation depends on the configuration.
    static let watchfulOfNonisolated = [mode6, mainActor, nonsending]

    /// The configurations in which correct code must compile.
    static let supported = [mode6, mode5, mainActor, approachable, newApp, strict]
}

extension Configuration: CustomTestStringConvertible {
    var testDescription: String { name }
}
