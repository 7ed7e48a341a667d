import Testing

/// The settings of a module that uses the library.
struct Configuration: Sendable, Equatable {
    /// What the heads of clients call it.
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

    /// What Xcode calls "approachable concurrency"; mode 6 has the other features of the set by itself.
    static let approachable = Configuration(
        "approachable concurrency", mode: 6, features: ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"])

    /// What Xcode gives a new app.
    static let newApp = Configuration(
        "new app", mode: 5, mainActor: true,
        features: [
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "DisableOutwardActorInference",
            "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures",
        ])

    /// The strictest: a new app in mode 6, with the settings of this package.
    static let strict = Configuration(
        "strict", mode: 6, mainActor: true,
        features: [
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ExistentialAny", "InternalImportsByDefault",
            "MemberImportVisibility",
        ])

    /// Where leaks are looked for. (Mode 5 reports only some of them, and as warnings.)
    static let watchful = [mode6, mainActor]

    /// Where leaks of nonisolated functions are looked for: what these are differs here.
    static let watchfulOfNonisolated = [mode6, mainActor, nonsending]

    /// Where right code must compile.
    static let supported = [mode6, mode5, mainActor, approachable, newApp, strict]
}

extension Configuration: CustomTestStringConvertible {
    var testDescription: String { name }
}
