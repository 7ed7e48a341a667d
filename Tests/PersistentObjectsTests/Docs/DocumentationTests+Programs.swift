import Foundation
import TestSupport
import Testing

// The complete programs in guides, and the console sessions that show their use.

extension DocumentationTests {
    @Test(arguments: Guide.names)
    func `the programs compile and print the output shown in the consoles`(name: String) async throws {
        let guide = try Guide.named(name)
        guard !guide.files.isEmpty || !guide.consoles.isEmpty else { return }
        try await withFolder { folder in
            let programs = folder.appending(path: "programs")
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            for program in WholeProgram.all(in: guide) {
                let executable = programs.appending(path: program.name)
                let sources = folder.appending(path: "sources-\(program.name)")
                try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
                let built = try await SwiftCompiler.build(write(program.files, to: sources), to: executable)
                for complaint in built.diagnostics where complaint.kind != "note" {
                    let file = program.files.first { $0.name == complaint.file }
                    let origin = file?.origins[complaint.line - 1] ?? 0
                    Issue.record("\(name):\(origin): \(complaint.kind): \(complaint.message)")
                }
                guard built.status == 0 else {
                    Issue.record("\(name): \(program.name): \(built.errors)")
                    return
                }
                if program.isTests {
                    let ran = try await SwiftCompiler.run(executable, in: folder)
                    let text = ran.output + ran.errors
                    #expect(ran.status == 0 && text.contains(" passed"), "\(name): \(text)")
                }
            }
            let work = folder.appending(path: "work")
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
            for (path, block) in guide.files where !path.contains("/") {
                try (block.code.joined(separator: "\n") + "\n")
                    .write(to: work.appending(path: path), atomically: false, encoding: .utf8)
            }
            let uses = guide.consoles.flatMap(ConsoleUse.all)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let ran = try await SwiftCompiler.run(
                URL(filePath: "/bin/sh"), ["-c", ConsoleUse.script(of: uses)], in: work,
                environment: [
                    "PATH": "\(programs.path):\(path)", "XDG_DATA_HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
                    "LC_ALL": "C.UTF-8",
                ])
            let printed = ConsoleUse.printed(ran.output)
            for use in uses {
                let lines = printed[use.line] ?? []
                #expect(areAsShown(lines, use.output), "\(name):\(use.line): \(use.command): \(lines)")
            }
        }
    }

    @Test func `programs and console sessions are parsed`() throws {
        let guide = Guide(
            name: "Test.md",
            text: """
                <!-- file: tool/main.swift, tool2/main.swift -->
                ```swift
                print(1)
                ```

                <!-- file: tool2/Two.swift -->
                ```swift
                let two = 2
                ```

                <!-- file: ToolTests/ToolTests.swift -->
                ```swift
                @Test func works() {}
                ```

                <!-- file: data.csv -->
                ```csv
                1,2
                ```

                ```console
                $ tool
                1
                $ tool2; exit 3
                $ echo $?
                3
                ```
                """)
        #expect(guide.examples.isEmpty)
        let programs = WholeProgram.all(in: guide)
        #expect(programs.map(\.name) == ["tool", "tool2", "ToolTests"] && programs[2].isTests)
        expect(
            programs.map { $0.files.map(\.name) },
            [["main.swift"], ["main.swift", "Two.swift"], ["ToolTests.swift", "Runner.swift"]])
        #expect(programs[1].files[1].lines == ["let two = 2"] && programs[1].files[1].origins == [8])
        let uses = guide.consoles.flatMap(ConsoleUse.all)
        expect(uses.map(\.command), ["tool", "tool2; exit 3", "echo $?"])
        #expect(uses.map(\.output) == [["1"], [], ["3"]] && uses.map(\.line) == [22, 24, 25])
        expect(ConsoleUse.printed("@@ 17\n1\n@@ 19\n@@ 20\n3\n"), [17: ["1"], 19: [], 20: ["3"]])
    }

    @Test func `the exit status of a command is available to the next command`() async throws {
        let uses = ["(exit 3)", "echo $?", "echo $? >&2"].enumerated()
            .map { ConsoleUse(line: $0.offset, command: $0.element) }
        let ran = try await SwiftCompiler.run(URL(filePath: "/bin/sh"), ["-c", ConsoleUse.script(of: uses)])
        expect(ConsoleUse.printed(ran.output), [0: [], 1: ["3"], 2: ["0"]])
    }
}

/// A command of a `console` block, and the expected output.
private struct ConsoleUse {
    /// The line in the guide.
    let line: Int
    let command: String
    var output: [String] = []

    static func all(_ block: Guide.Block) -> [ConsoleUse] {
        block.code.enumerated().reduce(into: []) { uses, line in
            if line.element.hasPrefix("$ ") {
                uses.append(ConsoleUse(line: block.line + line.offset, command: String(line.element.dropFirst(2))))
            } else if !uses.isEmpty {
                uses[uses.count - 1].output.append(line.element)
            }
        }
    }

    /// Runs all commands. A line with `@@` precedes the output of each command, and the exit status of the previous
    /// command is kept.
    static func script(of uses: [ConsoleUse]) -> String {
        let commands = uses.map { "po_status=$?; echo '@@ \($0.line)'; (exit $po_status)\n\($0.command)" }
        return (["exec 2>&1"] + commands).joined(separator: "\n")
    }

    static func printed(_ output: String) -> [Int: [String]] {
        var line = 0
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(into: [:]) {
            if $1.hasPrefix("@@ "), let number = Int($1.dropFirst(3)) {
                line = number
                $0[line] = []
            } else {
                $0[line, default: []].append(String($1))
            }
        }
    }
}
