// expect: sending 'person' risks causing data races
// compiles in: MainActor default
// A nonisolated function may send what it found to the main actor, but not keep it as well. (Where the main actor is
// the default, the function runs there itself.)
import PersistentObjects

func leak() async throws {
    let person = try Person.first()
    await MainActor.run { person?.lastName = "x" }
    person?.lastName = "y"
}
