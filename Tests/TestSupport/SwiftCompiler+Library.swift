import Foundation

extension SwiftCompiler {
    /// The library as a shared library in the build's folder.
    ///
    /// Linking a program with all object files takes twice the time of compiling it, so they are linked once for each build.
    static func sharedLibrary() async throws -> URL { try await linked.value }

    private static let linked = Task {
        let files = try objects(of: [
            "PersistentObjectsTesting", "PersistentTransfer", "PersistentObjects", "StoreEngine", "CSealedFile",
        ])
        guard let first = files.first else { throw BuildNotFound() }
        let library = URL(filePath: first).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "library-of-programs.so")
        let newest = try files.map(modified).max() ?? .distantFuture
        if let made = try? modified(library.path), made > newest { return library }
        // Another process may use the file, or make it at this moment.
        let new = library.appendingPathExtension(UUID().uuidString)
        let outcome = try await swiftc(["-emit-library", "-o", new.path] + linker + files + ["-lsqlite3"])
        guard outcome.status == 0, rename(new.path, library.path) == 0 else {
            throw LibraryNotLinked(description: outcome.errors)
        }
        return library
    }

    private static func modified(_ path: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.modificationDate] as? Date ?? .distantFuture
    }

    private struct LibraryNotLinked: Error, CustomStringConvertible {
        let description: String
    }
}
