// expect: let 'shared' is not concurrency-safe because non-'Sendable' type 'Person' may have shared mutable state
// compiles in: MainActor default
// A global object would be accessible from every isolation. (If the main actor is the default, the global is isolated
// to it, and therefore safe.)
import PersistentObjects

let shared = Person()
