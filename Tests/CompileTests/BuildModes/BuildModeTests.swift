import Foundation
import TestSupport
import Testing

/// Fields are written by address. These tests build and run a program in each build mode to prove that the writes
/// take effect.
///
/// Each test run covers two modes; `PO_BUILD_MODES=all` covers all of them and takes minutes. Run it on each new
/// toolchain.
@Suite(.ownThreads) struct BuildModeTests {
    struct Mode: Sendable, CustomTestStringConvertible {
        let name: String
        let flags: [String]
        var hasModules = false
        /// Flags for the library only.
        var coreFlags: [String] = []
        var isAlwaysRun = false
        var testDescription: String { name }
    }

    private static let inlined = ["-O", "-wmo", "-cross-module-optimization"]

    static let modes: [Mode] = [
        Mode(name: "one module, -Onone", flags: ["-Onone"]),
        Mode(name: "one module, -O", flags: ["-O"]),
        Mode(name: "one module, -O -wmo", flags: ["-O", "-wmo"], isAlwaysRun: true),
        Mode(name: "one module, -Osize", flags: ["-Osize", "-wmo"]),
        Mode(name: "one module, exclusivity unchecked", flags: ["-O", "-wmo", "-enforce-exclusivity=unchecked"]),
        Mode(name: "one module, address sanitizer", flags: ["-O", "-wmo", "-sanitize=address"]),
        Mode(name: "one module, -Onone, address sanitizer", flags: ["-Onone", "-sanitize=address"]),
        Mode(name: "one module, thread sanitizer", flags: ["-O", "-wmo", "-sanitize=thread"]),
        Mode(name: "three modules, -Onone", flags: ["-Onone"], hasModules: true),
        Mode(name: "three modules, -O -wmo", flags: ["-O", "-wmo"], hasModules: true),
        Mode(name: "three modules, cross-module optimization", flags: inlined, hasModules: true, isAlwaysRun: true),
        Mode(
            name: "three modules, everything inlinable", flags: inlined + ["-Xfrontend", "-enable-cmo-everything"],
            hasModules: true),
        Mode(name: "three modules, -Osize", flags: ["-Osize", "-wmo", "-cross-module-optimization"], hasModules: true),
        Mode(
            name: "three modules, library evolution", flags: ["-O", "-wmo"], hasModules: true,
            coreFlags: ["-enable-library-evolution"]),
        Mode(name: "three modules, address sanitizer", flags: inlined + ["-sanitize=address"], hasModules: true),
    ]

    private static let isComplete = ProcessInfo.processInfo.environment["PO_BUILD_MODES"] == "all"

    @Test(.hangLimit, arguments: modes.filter { isComplete || $0.isAlwaysRun })
    func `in each build mode, writes by address take effect and a deinit reads all fields`(_ mode: Mode) async throws {
        let client = try ClientBuild()
        let core = try client.write("Core.swift", BuildModeSources.core)
        let model = try client.write("Model.swift", BuildModeSources.model)
        let main = try client.write("main.swift", BuildModeSources.program)
        let common = ["-swift-version", "6"] + mode.flags + SwiftCompiler.systemLibrary
        if mode.hasModules {
            func module(_ name: String, _ source: String, _ flags: [String]) async throws {
                try await client.compile(
                    common + flags + [
                        "-D", "MODULES", "-parse-as-library", "-module-name", name, "-I", client.folder.path,
                    ]
                        + ["-emit-module", "-emit-library", "-static", source, "-o", client.path("lib\(name).a")]
                        + ["-emit-module-path", client.path("\(name).swiftmodule")])
            }
            try await module("Core", core, mode.coreFlags)
            try await module("Model", model, [])
            try await client.compile(
                common + ["-D", "MODULES", "-module-name", "Program", "-I", client.folder.path, main]
                    + ["-L", client.folder.path, "-lModel", "-lCore", "-lsqlite3", "-o", client.path("program")])
        } else {
            try await client.compile(
                common + [core, model, main, "-module-name", "Program", "-lsqlite3", "-o", client.path("program")])
        }
        let lines = try await client.run("program").split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count >= 4, "\(lines)")
        expect(lines[0], "ok", "\(lines)")
        // First the deinit bodies from subclass to base class, then the fields from base class to subclass.
        expect(lines[1], "leaf middle base ~middle ~leaf")
        expect(lines[2], "changed in deinit, a long text too|changed in deinit, and long enough|[]|nil")
        expect(lines[3], "base ~failing")
    }
}
