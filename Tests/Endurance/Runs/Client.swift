/// The `client` run: a program that uses most of the library, in two processes, `rounds` times.
func runClient(_ options: Options) throws -> String {
    var counts = ""
    let rounds = options.rounds ?? 1
    for _ in 0..<rounds {
        let scratch = try Scratch()
        defer { scratch.remove() }
        counts = try ClientRun(path: scratch.path + "/client.sqlite").run()
    }
    return "\(rounds) times events, hierarchies, late classes, undo and dropped edits in two processes: \(counts)"
}
