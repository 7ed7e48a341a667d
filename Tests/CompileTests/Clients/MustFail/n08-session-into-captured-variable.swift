// expect: mutation of captured var 'escaped' in concurrently-executing code
// Nothing can leave `perform` through a captured variable, not even its session.
import PersistentObjects

func leak(_ store: Store) async throws {
    var escaped: BackgroundSession?
    try await store.perform { session in escaped = session }
    try await escaped?.saveChanges()
}
