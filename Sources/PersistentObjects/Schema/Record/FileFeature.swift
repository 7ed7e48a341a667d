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
}
