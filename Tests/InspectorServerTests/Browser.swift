#if Inspector
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #endif

    /// Headless Chromium with one page, controlled by the messages of its debugging pipe.
    final class Browser {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// The program, if it is installed.
        static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        private let process = Process()
        private let commands: FileHandle
        private let answers: FileHandle
        private var received: [UInt8] = []
        private var number = 0
        private var session: String?
        /// The errors that the pages reported, for example a script that was not allowed to run.
        private(set) var problems: [String] = []

        /// - Parameter folder: An empty folder for the data of the browser.
        init(folder: URL) throws {
            let (input, output) = (folder.appending(path: "in").path, folder.appending(path: "out").path)
            guard let path = Browser.path, mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else {
                throw Failure(description: "The browser cannot start")
            }
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = [
                "-c", "exec \"$0\" \"$@\" 3<'\(input)' 4>'\(output)'", path, "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
                "--user-data-dir=\(folder.path)/data", "--window-size=1200,800",
            ]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Each side waits until the other side has opened the pipe.
            commands = try FileHandle(forWritingTo: URL(filePath: input))
            answers = try FileHandle(forReadingFrom: URL(filePath: output))
            let target = try call("Target.createTarget", ["url": "about:blank"])
            let attached = try call(
                "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
            session = attached["sessionId"] as? String
            for domain in ["Page", "Runtime", "Log"] { try call("\(domain).enable") }
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }

        /// Sends a command, and returns its result.
        @discardableResult
        func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
            number += 1
            var message: [String: Any] = ["id": number, "method": method, "params": parameters]
            if let session { message["sessionId"] = session }
            try commands.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
            while true {
                let answer = try next()
                guard answer["id"] as? Int == number else { continue }
                if let error = answer["error"] as? [String: Any] {
                    throw Failure(description: "\(method): \(error["message"] ?? error)")
                }
                return answer["result"] as? [String: Any] ?? [:]
            }
        }

        private func next() throws -> [String: Any] {
            while true {
                if let end = received.firstIndex(of: 0) {
                    let message = Data(received[..<end])
                    received.removeSubrange(...end)
                    let value = try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
                    record(value)
                    return value
                }
                var waiting = pollfd(fd: answers.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 600_000) == 1 else { throw Failure(description: "The browser does not answer") }
                let data = answers.availableData
                guard !data.isEmpty else { throw Failure(description: "The browser ended") }
                received += data
            }
        }

        private func record(_ message: [String: Any]) {
            let parameters = message["params"] as? [String: Any]
            switch message["method"] as? String {
            case "Runtime.exceptionThrown": problems.append("\(parameters ?? [:])")
            case "Log.entryAdded":
                guard let entry = parameters?["entry"] as? [String: Any], entry["level"] as? String == "error" else {
                    return
                }
                problems.append("\(entry["text"] ?? "") \(entry["url"] ?? "")")
            default: break
            }
        }

        // MARK: The page

        func open(_ address: String) throws {
            try evaluate("window.isOld = true")
            try call("Page.navigate", ["url": address])
            try awaitNewPage()
        }

        /// Runs a script that leads to another page, and waits for that page.
        func follow(_ script: String) throws {
            try evaluate("window.isOld = true")
            try evaluate(script)
            try awaitNewPage()
        }

        private func awaitNewPage() throws {
            try waitUntil("window.isOld !== true && document.readyState === 'complete'")
        }

        /// The value of an expression.
        @discardableResult
        func evaluate(_ expression: String) throws -> Any? {
            let answer = try call("Runtime.evaluate", ["expression": expression, "returnByValue": true])
            if let problem = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(problem)") }
            return (answer["result"] as? [String: Any])?["value"]
        }

        func text(_ selector: String = "main") throws -> String {
            try evaluate("document.querySelector('\(selector)')?.innerText ?? ''") as? String ?? ""
        }

        /// Waits until an expression is true.
        func waitUntil(_ expression: String) throws {
            for _ in 0..<24_000 {
                // A page that ends has no value.
                if (try? evaluate(expression)) as? Bool == true { return }
                usleep(25_000)
            }
            throw Failure(description: "After ten minutes it was not true: \(expression)")
        }

        func press(_ key: String) throws {
            for type in ["keyDown", "keyUp"] {
                try call("Input.dispatchKeyEvent", ["type": type, "key": key, "text": type == "keyDown" ? key : ""])
            }
        }

        func screenshot(width: Int = 1200, height: Int = 800, isDark: Bool = false) throws -> Data {
            try call(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
            let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
            try call("Emulation.setEmulatedMedia", ["features": [scheme]])
            let picture = try call("Page.captureScreenshot", ["format": "png"])
            return (picture["data"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
        }
    }
#endif
