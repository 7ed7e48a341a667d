// The library's names together with the names of modules that it is used with.
import Dispatch
import Foundation
import Observation
import PersistentObjects
import RegexBuilder
import Synchronization

final class Note: PersistentObject {
    @Indexed var text = ""
    @Unique var key: UUID? = UUID()
    @Column("body_text") var body = ""
    @Transient var draft = ""
    var written = Date()
    override class var indexes: [Index] { [Index(\Note.text, order: .descending)] }
}

nonisolated func predicate() -> Predicate<Int> { #Predicate { $0 > 3 } }

func search() throws -> [Note] {
    let word = Regex {
        Capture { OneOrMore(.word) }
        Optionally { "!" }
    }
    let counter = Mutex(0)
    counter.withLock { $0 += 1 }
    return try Note.all().filter { $0.text.contains(word) } + Note.findBy.written(.now)
}
