import Foundation

/// A separate folder for one test, deleted when the test releases it.
final class Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("AtlasTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs atlas in the folder.
    func atlas(_ arguments: String...) throws -> AtlasExecutable.Run {
        try AtlasExecutable.run(AtlasExecutable.find(), arguments, in: folder)
    }

    /// Runs atlas in the folder, on the data written by `write(countries:cities:)`.
    func atlasOnSample(_ arguments: String...) throws -> AtlasExecutable.Run {
        try AtlasExecutable.run(AtlasExecutable.find(), ["--data", "data"] + arguments, in: folder)
    }

    /// Writes a data folder named `data`.
    func write(
        countries: String = Sample.countries, cities: [String] = Sample.cities, as name: String = "cities.jsonl"
    ) throws {
        let data = folder.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try write(countries, to: "data/countries.json")
        try write(cities.joined(separator: "\n"), to: "data/\(name)")
    }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(path))
    }

    func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    /// Returns all rows of all tables, without the sequence numbers.
    func rows() throws -> String {
        try sqlite(".dump").split(separator: "\n").filter { !$0.contains("sqlite_sequence") }.joined(separator: "\n")
    }

    /// Returns the output of the sqlite3 command line, without its last line break.
    func sqlite(_ sql: String, store: String = "atlas.sqlite") throws -> String {
        let run = try AtlasExecutable.run(
            URL(fileURLWithPath: "/usr/bin/env"), ["sqlite3", "-batch", store, sql], in: folder)
        return (run.output + run.errors).trimmingCharacters(in: .newlines)
    }
}
