// Finders: finds the finder names in Swift files, so that a test can check them. It knows Swift's tokens and the
// grammar of names, and must not need a store.

internal import PersistentObjects

/// Finds and checks the finders that the Swift files of a folder use.
struct FinderSources {
    private let folder: String

    init(_ folder: String) { self.folder = folder }

    /// One use of a class member that is, or may be intended as, a finder.
    struct Use {
        let className: String
        let name: String
        let file: String
        let line: Int
        let column: Int
        let problem: (any Error)?
    }

    /// - Throws: `FinderProblems`.
    func check(_ checks: [FinderCheck], ignoring names: Set<String>) throws {
        let files = SwiftFiles(folder)
        let uses = uses(of: checks, in: files, ignoring: names)
        var problems = checks.compactMap(\.problemOfClass) + files.problems
        problems += uses.compactMap { use in
            use.problem.map { FinderSourceError(file: use.file, line: use.line, column: use.column, problem: $0) }
        }
        if uses.isEmpty, problems.isEmpty {
            let classes = checks.map { "\($0.type)" }
            let problem = FinderSearchError.nothingToCheck(classes: classes, files: files.paths.count)
            problems.append(FinderSourceError(file: folder, problem: problem))
        }
        try FinderProblems.report(problems)
    }

    /// All uses in file order.
    func uses(of classes: [PersistentObject.Type]) -> [Use] {
        uses(of: classes.map(FinderCheck.init), in: SwiftFiles(folder), ignoring: [])
    }

    private func uses(of checks: [FinderCheck], in files: SwiftFiles, ignoring names: Set<String>) -> [Use] {
        let classes = checks.map { SwiftClassName($0.type) }
        let outline = SwiftOutline(files.tokens)
        let searches = zip(checks, classes).map { FinderSearch(check: $0, className: $1, outline, ignoring: names) }
        var found: [Int: [(search: Int, name: SwiftOutline.Chain.Name, misuse: FinderSearchError?)]] = [:]
        for chain in outline.chains {
            for (index, search) in searches.enumerated() {
                guard let name = search.member(in: chain) else { continue }
                found[chain.file, default: []].append((index, name, search.misuseOfSelf(in: chain)))
                break
            }
        }
        var uses: [Use] = []
        var verdicts: [Int: [String: FinderSearch.Verdict]] = [:]
        for (file, names) in found.sorted(by: { $0.key < $1.key }) {
            let places = files.tokens[file]?.places(of: names.map(\.name.offset)) ?? []
            for ((index, name, misuse), place) in zip(names, places) {
                if let misuse {
                    uses.append(
                        Use(
                            className: "\(checks[index].type)", name: name.text, file: files.paths[file],
                            line: place.line, column: place.column, problem: misuse))
                    continue
                }
                let verdict = verdicts[index]?[name.text] ?? searches[index].verdict(name.text)
                verdicts[index, default: [:]][name.text] = verdict
                guard case .finder(let problem) = verdict else { continue }
                uses.append(
                    Use(
                        className: "\(checks[index].type)", name: name.text, file: files.paths[file], line: place.line,
                        column: place.column, problem: problem))
            }
        }
        return uses
    }
}
