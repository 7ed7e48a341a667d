import Testing

@Suite struct OptionTests {
    @Test func `help prints the options and imports nothing`() throws {
        let scratch = try Scratch()
        let run = try scratch.atlas("--help")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("usage: atlas [--data <folder>] [--store <file>]"))
        #expect(run.errors.isEmpty)
        #expect(!scratch.has("atlas.sqlite"))
    }

    @Test(arguments: [
        (["--foo"], "atlas: unknown option --foo; see atlas --help\n"),
        (["-v"], "atlas: unknown option -v; see atlas --help\n"),
        (["somewhere"], "atlas: unexpected argument somewhere; see atlas --help\n"),
        (["--store"], "atlas: --store needs a file name after it; see atlas --help\n"),
        (["--store", ""], "atlas: --store needs a file name after it; see atlas --help\n"),
        (["--data", "--store", "x"], "atlas: --data needs a folder after it; see atlas --help\n"),
        (["--store", "a", "--store=b"], "atlas: --store is given twice\n"),
        (["--data", "nowhere"], "atlas: the data folder nowhere does not exist\n"),
    ])
    func `an invalid command line prints one line and exits with code 2`(arguments: [String], line: String) throws {
        let scratch = try Scratch()
        let run = try AtlasExecutable.run(AtlasExecutable.find(), arguments, in: scratch.folder)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors == line)
        #expect(!scratch.has("atlas.sqlite"))
    }

    @Test func `the store file can be chosen`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let run = try scratch.atlasOnSample("--store=world.sqlite")
        #expect(run.status == 0)
        #expect(scratch.has("world.sqlite"))
        #expect(!scratch.has("atlas.sqlite"))
    }
}
