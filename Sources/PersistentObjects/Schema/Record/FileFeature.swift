internal import StoreEngine

/// The access to a file that is forbidden to programs that do not know a feature.
enum FeatureLevel: String {
    case reading, writing
}

extension Connection {
    /// Records that programs must know a feature to read the file, or to write it.
    func require(feature: String, for level: FeatureLevel) throws {
        try upgradeFormat()
        try prepare("INSERT OR IGNORE INTO po_feature VALUES (?, ?, ?)").execute(
            [.text(feature), .text(level.rawValue), .text(LibraryVersion.current)])
    }

    /// Whether the file records a feature.
    func has(feature: String) throws -> Bool {
        guard try schema.definition(of: "po_feature") != nil else { return false }
        return try !prepare("SELECT 1 FROM po_feature WHERE name = ?").rows([.text(feature)]).isEmpty
    }

    /// Records that programs need not know a feature any longer.
    func drop(feature: String) throws {
        try prepare("DELETE FROM po_feature WHERE name = ?").execute([.text(feature)])
    }
}
