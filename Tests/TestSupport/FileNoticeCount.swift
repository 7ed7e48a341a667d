public import Foundation

/// The number of this process's descriptors that watch a folder; nil if the system does not report it.
public func descriptorsWatching(_ folder: URL) -> Int? {
    let descriptors = "/proc/self/fdinfo"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors),
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path(percentEncoded: false)),
        let number = attributes[.systemFileNumber] as? Int
    else { return nil }
    let inode = "ino:\(String(number, radix: 16)) "
    return names.count { name in
        let lines = (try? String(contentsOfFile: "\(descriptors)/\(name)", encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").contains { $0.hasPrefix("inotify") && $0.contains(inode) }
    }
}

/// Waits at most five minutes until a condition holds, for effects of other threads that nothing reports.
public func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<30_000 {
        if try isSo() { return true }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return try isSo()
}
