import Foundation

#if Sync
    import SyncService

    // A client that ends a connection must not end the program. A program that starts this one may have blocked signals.
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigprocmask(SIG_SETMASK, &signals, nil)
    do {
        var command = try ServiceCommand(Array(CommandLine.arguments.dropFirst()))
        let service = try command.run { line in
            print(line)
            fflush(nil)
        }
        // The service has its own threads, and a signal ends the program. Every answered change is on the disk.
        while service != nil { Thread.sleep(forTimeInterval: 3600) }
    } catch {
        // This failure cannot be reported anywhere; the exit status still shows it.
        try? FileHandle.standardError.write(contentsOf: Data("sync-service: \(error)\n".utf8))
        exit(2)
    }
#else
    print("sync-service: the program was built without the package trait Sync. Build it with --traits Sync")
    exit(2)
#endif
