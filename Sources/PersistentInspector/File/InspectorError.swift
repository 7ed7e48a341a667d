internal import PersistentObjects

/// The reason that a command of the inspector cannot run, in words for its user.
public struct InspectorError: Error, Equatable, CustomStringConvertible {
    /// The reason, on one line.
    public let description: String

    package init(_ description: String) {
        // Names in a file can contain characters that control a terminal.
        self.description = VisibleText.of(String(description.map { $0.isNewline ? " " : $0 }), 10_000)
    }
}

extension InspectorError {
    /// The reason that an encrypted file cannot be shown.
    package static func encrypted(_ path: String) -> String {
        "\(path) is encrypted, and the inspector has no keys. In its program, write a copy that is not encrypted, with "
            + "store.backup(to: \"open.sqlite\", encryption: .none). Inspect the copy, and delete it afterwards."
    }

    /// The error of a file that cannot be opened or read.
    init(_ error: StoreError, path: String) {
        switch (error.code, error.resultCode) {
        case (.notADatabase, _):
            self.init("\(path) is not an SQLite database, or it is encrypted.")
        case (.wrongKey, _): self.init(InspectorError.encrypted(path))
        case (_, 776?):
            self.init(
                "\(path) has the journal of an interrupted transaction. Open it once with its program, which rolls the "
                    + "transaction back.")
        default: self.init(error.description)
        }
    }
}
