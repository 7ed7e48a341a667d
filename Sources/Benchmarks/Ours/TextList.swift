import PersistentObjects

/// An object with an array of strings.
final class TextList: PersistentObject, ListValues {
    var name = ""
    var texts: [String] = []

    convenience init(_ data: ListData) {
        self.init()
        name = data.name
        texts = data.texts
    }
}
