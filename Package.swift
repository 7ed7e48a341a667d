// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PersistentObjects",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PersistentObjects", targets: ["PersistentObjects"]),
        .library(name: "PersistentTransfer", targets: ["PersistentTransfer"]),
        .library(name: "PersistentObjectsTesting", targets: ["PersistentObjectsTesting"]),
        .library(name: "PersistentInspector", targets: ["PersistentInspector"]),
        .library(name: "InspectorServer", targets: ["InspectorServer"]),
        .library(name: "PersistentSync", targets: ["PersistentSync"]),
        .executable(name: "atlas", targets: ["Atlas"]),
        .executable(name: "persistent", targets: ["persistent"]),
        .executable(name: "sync-service", targets: ["sync-service"]),
    ],
    traits: [
        .trait(
            name: "PostgreSQL", description: "Stores on a PostgreSQL server beside those in files; needs libpq-dev."),
        .trait(name: "Encryption", description: "Encrypted files; needs libsodium-dev on Linux."),
        .trait(
            name: "Sync",
            description: "Objects on several devices; needs libsodium-dev on Linux, the program sync-service "
                + "libmicrohttpd-dev.",
            enabledTraits: ["Encryption"]),
        .trait(
            name: "Inspector",
            description: "The program persistent also shows a file in a browser; needs libmicrohttpd-dev."),
    ],
    targets: [
        // Layers, bottom up; imports go down only.
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        // The VFS of encrypted files, which calls cryptographic functions through pointers.
        .target(name: "CSealedFile", dependencies: ["CSQLite"]),
        .target(name: "StoreEngine", dependencies: ["CSQLite", "CSealedFile"]),
        // Part of the library with the trait Encryption only; it compiles without libsodium, which linking it needs.
        .systemLibrary(
            name: "CSodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .target(name: "Sealing", dependencies: ["StoreEngine", "CSealedFile", "CSodium"]),
        // Part of the library with the trait PostgreSQL only; it compiles without libpq, which linking it needs.
        .systemLibrary(
            name: "CPostgres", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PostgresEngine",
            dependencies: ["StoreEngine", "CPostgres"]),
        .target(
            name: "PersistentObjects",
            dependencies: [
                "StoreEngine", "CSQLite", .target(name: "PostgresEngine", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "Sealing", condition: .when(traits: ["Encryption"])),
            ]),
        // Objects as JSON and CSV, and files of other programs.
        .target(name: "PersistentTransfer", dependencies: ["PersistentObjects", "StoreEngine"]),
        // Objects on several devices. It compiles without libsodium, which linking it needs.
        .target(name: "PersistentSync", dependencies: ["PersistentObjects", "StoreEngine", "Sealing"]),
        // For the tests of apps, beside the layers.
        .target(
            name: "PersistentObjectsTesting",
            dependencies: [
                "PersistentObjects", "StoreEngine", .target(name: "PersistentSync", condition: .when(traits: ["Sync"])),
            ]),
        // A look into the files of stores, without the classes of their programs.
        .target(name: "PersistentInspector", dependencies: ["PersistentObjects", "StoreEngine"]),
        // A server on this machine. It compiles without libmicrohttpd, which linking it needs.
        .systemLibrary(
            name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .target(name: "LoopbackHTTP", dependencies: ["CMicrohttpd"]),
        // The inspector in a browser.
        .target(
            name: "InspectorServer", dependencies: ["PersistentInspector", "PersistentObjects", "LoopbackHTTP"]),

        // A service through which devices exchange encrypted files. It compiles without libmicrohttpd and libsodium.
        .target(
            name: "SyncService",
            dependencies: ["PersistentObjects", "StoreEngine", "PersistentSync", "Sealing", "LoopbackHTTP"]),

        // Programs.
        .executableTarget(
            name: "sync-service",
            dependencies: [.target(name: "SyncService", condition: .when(traits: ["Sync"]))]),
        .executableTarget(
            name: "persistent",
            dependencies: [
                "PersistentInspector", .target(name: "InspectorServer", condition: .when(traits: ["Inspector"])),
            ]),
        .executableTarget(name: "Atlas", dependencies: ["PersistentObjects"], resources: [.copy("Data")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["PersistentObjects", "PersistentTransfer", "PersistentInspector", "CSQLite", "CPostgres"]),

        // Tests.
        .target(name: "CTestEngine", path: "Tests/CTestEngine"),
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
        // The long runs: `swift run -c release endurance`.
        .executableTarget(
            name: "endurance",
            dependencies: [
                "PersistentObjects", "PersistentTransfer", "StoreEngine", "CFaultVFS", "ModelRuns",
                .target(name: "PersistentSync", condition: .when(traits: ["Sync"])),
                .target(name: "SyncService", condition: .when(traits: ["Sync"])),
            ],
            path: "Tests/Endurance", exclude: ["sanitizers"]),
        .target(
            name: "TestSupport",
            dependencies: [
                "PersistentObjects", "PersistentObjectsTesting", "StoreEngine", "CTestEngine", "CFaultVFS",
                .target(name: "PostgresEngine", condition: .when(traits: ["PostgreSQL"])), "ModelRuns",
            ],
            path: "Tests/TestSupport"),
        // What tests and programs that run for hours share: random work beside a plain model, and the fuzzed entrances.
        .target(
            name: "ModelRuns",
            dependencies: [
                "StoreEngine", "PersistentObjects", "PersistentTransfer", "PersistentObjectsTesting",
                .target(name: "Sealing", condition: .when(traits: ["Encryption"])),
            ],
            path: "Tests/ModelRuns"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "PersistentObjects", "PersistentTransfer", "PersistentObjectsTesting", "ModelRuns", "CSQLite",
                .target(name: "PersistentSync", condition: .when(traits: ["Sync"])),
            ],
            path: "Tests/FuzzTargets"),
        .testTarget(name: "StoreEngineTests", dependencies: ["StoreEngine", "TestSupport"]),
        // Empty without the trait, as the library is then.
        .testTarget(
            name: "PostgresEngineTests",
            dependencies: [
                "StoreEngine", "PersistentObjects", "PersistentTransfer", "PersistentInspector", "TestSupport",
                .target(name: "PostgresEngine", condition: .when(traits: ["PostgreSQL"])),
            ]),
        // Almost empty without the trait.
        .testTarget(
            name: "SealingTests",
            dependencies: [
                "StoreEngine", "PersistentObjects", "PersistentTransfer", "TestSupport", "CSQLite", "CSealedFile",
                "CFaultVFS",
                .target(name: "Sealing", condition: .when(traits: ["Encryption"])),
            ]),
        // Empty without the trait.
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "TestSupport", "PersistentObjects", "PersistentObjectsTesting", "StoreEngine", "sync-service",
                "FuzzTargets",
                .target(name: "PersistentSync", condition: .when(traits: ["Sync"])),
                .target(name: "SyncService", condition: .when(traits: ["Sync"])),
                .target(name: "LoopbackHTTP", condition: .when(traits: ["Sync"])),
                .target(name: "Sealing", condition: .when(traits: ["Sync"])),
            ]),
        // Of the library: what users ask for, down to transactions, and what is below: verbs, state, schema, mapping.
        .testTarget(
            name: "PersistentObjectsTests",
            dependencies: [
                "PersistentObjects", "PersistentTransfer", "PersistentObjectsTesting", "StoreEngine", "TestSupport",
            ]),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: ["PersistentObjects", "PersistentTransfer", "StoreEngine", "TestSupport"],
            exclude: ["Fixtures"]),
        // Of the library too: objects that end, and memory that is accessed while it changes. It is what the optimizer can
        // break in a client, so the optimized passes of `.ci/run` optimize it.
        .testTarget(name: "LifetimeTests", dependencies: ["PersistentObjects", "StoreEngine", "TestSupport"]),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "PersistentObjects", "PersistentTransfer", "StoreEngine", "TestSupport", "endurance", "ModelRuns",
                "FuzzTargets",
            ]),
        .testTarget(
            name: "CompileTests", dependencies: ["PersistentObjects", "PersistentTransfer", "TestSupport"],
            exclude: ["Clients"]),
        .testTarget(
            name: "InspectorTests",
            dependencies: ["PersistentInspector", "persistent", "PersistentObjects", "StoreEngine", "TestSupport"]),
        // Empty without the trait.
        .testTarget(
            name: "InspectorServerTests",
            dependencies: [
                "PersistentInspector", "PersistentObjects", "persistent", "TestSupport",
                .target(name: "InspectorServer", condition: .when(traits: ["Inspector"])),
                .target(name: "LoopbackHTTP", condition: .when(traits: ["Inspector"])),
            ]),
        .testTarget(name: "AtlasTests", dependencies: ["Atlas", "PersistentObjects", "PersistentObjectsTesting"]),
    ],
    swiftLanguageModes: [.v6]
)

// `Tests/Fuzz/run` builds it. It has no `main`, which is libFuzzer's, so it is no part of a plain build.
if Context.environment["PO_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program"))
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// README's test command: the tests of the public API, built and run in a third of the time.
if Context.environment["PO_TESTS"] == "public" {
    let tests = ["PersistentObjectsTests", "CompileTests", "AtlasTests"]
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

// What the tests reach of the library (`Tests/Coverage`), and the optimized passes of `.ci/run`, run no other programs.
let isOptimized = Context.environment["PO_OPTIMIZED_TESTS"] != nil
if isOptimized || Context.environment["PO_LIBRARY_TESTS"] != nil {
    package.targets.removeAll { ["CompileTests", "AtlasTests", "Atlas", "Benchmarks"].contains($0.name) }
    package.products.removeAll { $0.name == "atlas" }
}

// Optimizing the tests takes twice the time of compiling them, and they show the same of an optimized library either way.
if isOptimized {
    for target in package.targets where target.type == .test {
        if target.name == "PersistentObjectsTests" { target.exclude = ["Docs"] }
        if target.name != "LifetimeTests" {
            target.swiftSettings? += [
                .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"])
            ]
        }
    }
}
