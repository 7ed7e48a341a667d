import Foundation

/// The command: reads the options, runs the works, prints the report.
///
/// This target uses only the library's public interface and SQLite's C functions, and nothing in between.
enum Program {
    /// Runs the command and returns its exit status: 0; 1 if a work failed or had a wrong result; 2 if the options are
    /// invalid.
    static func run(arguments: [String]) -> Int32 {
        do {
            let options = try Options(arguments)
            if options.wantsHelp {
                print(Options.help)
            } else if let side = options.memoryChild {
                print(try MemoryChild(side: side, options: options).run().line)
            } else if options.isCommitChild {
                try OtherProcess.run(options)
            } else if !options.plotted.isEmpty {
                print(try Plot(files: options.plotted).svg)
            } else if let address = options.postgres {
                try compare(options, on: address)
            } else {
                try compare(options)
            }
            return 0
        } catch let error as OptionError {
            complain(error.message)
            return 2
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func compare(_ options: Options, on address: String) throws {
        #if PostgreSQL
            try ServerComparison(options: options, address: address).run()
        #else
            throw OptionError("this build has no PostgreSQL; build it with --traits PostgreSQL")
        #endif
    }

    private static func compare(_ options: Options) throws {
        let works = allWorks().filter { options.selects($0) }
        guard !works.isEmpty else {
            throw OptionError("no work has \(options.only.joined(separator: " or ")) in its name; see --help")
        }
        let runner = try Runner(options)
        defer { runner.cleanUp() }
        if !options.floorTwice {
            for difference in try runner.differences(Set(works.map(\.fixture))) { complain("note: \(difference)") }
        }
        if options.json {
            print(Report.json(try works.map(runner.run), rows: options.rows))
        } else {
            let table = Report.Table(names: works.map(\.name))
            print(table.heading)
            var results: [WorkResult] = []
            for work in works {
                let result = try runner.run(work)
                results.append(result)
                print(table.line(for: result))
            }
            if let mean = table.geometricMean(of: results) { print(mean) }
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Benchmarks: \(message)\n".utf8))
    }
}
