/// The number of connections that this process has open, by file.
///
/// In the journal mode `.rollback`, an idle connection holds no lock, so SQLite does not notice it.
enum OpenFiles {
    private static let counts = Locked<[FileIdentity: Int]>([:])

    static func recordOpening(_ file: FileIdentity) { counts.withLock { $0[file, default: 0] += 1 } }

    static func recordClosing(_ file: FileIdentity) {
        counts.withLock { $0[file] = ($0[file] ?? 1) > 1 ? ($0[file] ?? 1) - 1 : nil }
    }

    static func count(_ file: FileIdentity) -> Int { counts.withLock { $0[file] ?? 0 } }
}
