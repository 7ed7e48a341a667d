import Foundation
import ModelRuns
import StoreEngine

/// The `flips` run: an encrypted file of `rounds` pages is read while one of its bits is flipped, at three places of each
/// page.
func runFlips(_ options: Options) throws -> String {
    guard SealedEngine.isWanted else { throw Failure("plain files have no checksums: set PO_SEALED=1") }
    let scratch = try Scratch()
    defer { scratch.remove() }
    let run = FlipRun(path: scratch.path + "/file.sqlite")
    let pages = try run.make(pages: options.rounds ?? 4096)
    var random = Randomness(options.seed, 0)
    var codes: [StoreError.Code: Int] = [:]
    for page in options.first..<pages {
        for part in FlipRun.parts {
            let byte = page * FlipRun.pageSize + part.lowerBound + random.below(part.count)
            let bit = random.below(8)
            guard let code = try run.code(flipping: bit, of: byte) else {
                let replay = "flips --seed \(options.seed) --rounds \(pages)"
                throw Failure("\(replay): bit \(bit) of byte \(byte) is not noticed")
            }
            codes[code, default: 0] += 1
        }
    }
    guard try run.code(flipping: nil, of: 0) == nil else { throw Failure("the restored file cannot be read") }
    let found = codes.map { "\($1) \($0)" }.sorted().joined(separator: ", ")
    return "\(pages) pages, \(codes.values.reduce(0, +)) flipped bits, 0 not noticed (\(found))"
}

private struct FlipRun {
    let path: String

    static let pageSize = 4096
    /// The content of a page, its salt and counter, and its tag with the numbers of key and file.
    static let parts = [0..<4040, 4040..<4064, 4064..<4096]

    private func connect() throws -> SQLiteConnection {
        let location = StoreLocation.file(path: path)
        let options = ConnectionOptions(
            isFullyDurable: false, file: FileSettings(pageSize: FlipRun.pageSize, journal: .rollback))
        return try SQLiteConnection(location, options: SealedEngine.options(options, at: location))
    }

    /// Creates the file with one row in each page, and returns the number of pages.
    func make(pages: Int) throws -> Int {
        let connection = try connect()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB) STRICT")
        try connection.begin()
        for _ in 2..<max(pages, 4) { try connection.execute("INSERT INTO t (b) VALUES (randomblob(3500))") }
        try connection.commit()
        guard case .integer(let count) = try connection.value("PRAGMA page_count") else { throw Failure("no pages") }
        return Int(count)
    }

    /// The code of the error of a complete read while a bit is flipped; nil if there is no error.
    func code(flipping bit: Int?, of byte: Int) throws -> StoreError.Code? {
        try flip(bit, of: byte)
        defer { try? flip(bit, of: byte) }
        do {
            _ = try connect().value("SELECT sum(length(b)) FROM t")
            return nil
        } catch let error as StoreError { return error.code }
    }

    private func flip(_ bit: Int?, of byte: Int) throws {
        guard let bit else { return }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(byte))
        guard var data = try file.read(upToCount: 1), data.count == 1 else { throw Failure("no byte \(byte)") }
        data[data.startIndex] ^= 1 << bit
        try file.seek(toOffset: UInt64(byte))
        try file.write(contentsOf: data)
    }
}
