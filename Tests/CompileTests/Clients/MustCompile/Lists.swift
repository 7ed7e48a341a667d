// Objects in lists like SwiftUI's, which require `Identifiable` elements or a key path to an identifier.
import PersistentObjects

final class Song: PersistentObject {
    var title = ""
}

final class Album: PersistentObject {
    var title = ""
}
// A class that needs the conformance declares it. `id` then needs an explicit type where the context is `Any`.
extension Album: Identifiable {}

struct ForEach<Data: RandomAccessCollection, ID: Hashable> {
    init(_ data: Data, id: KeyPath<Data.Element, ID>, _ content: (Data.Element) -> String) {
        for element in data { print(element[keyPath: id], content(element)) }
    }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    init(_ data: Data, _ content: (Data.Element) -> String) {
        for element in data { print(element.id, content(element)) }
    }
}

func show<T: Identifiable>(_ element: T) -> T.ID { element.id }

func listObjects(_ songs: [Song], _ albums: [Album]) {
    let byObject = ForEach(songs, id: \.self) { $0.title }
    let byID = ForEach(songs, id: \.id) { $0.title }
    let byName = ForEach(songs, id: \.persistentID) { $0.title }
    let identified = ForEach(albums) { $0.title }
    let ids: [Int64?] = albums.map { show($0) }
    let json: [String: Any] = ["id": albums[0].id ?? 0 as Int64]
    print(byObject, byID, byName, identified, ids, json)
}

func idsAsAny(_ song: Song) {
    print(song.id ?? 0)
    let json: [String: Any] = ["id": song.id ?? 0]
    let list: [Any] = [song.id ?? 0]
    let texts = [song].map { "\($0.id ?? 0)" }
    let number = song.id ?? 0
    let known: Int64 = number
    print(json, list, texts, known)
}
