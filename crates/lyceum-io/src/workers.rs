//! Processes that work on jobs: started so that they outlive who started them, and told apart from others that come to
//! have their number.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use lyceum_core::base::{Failure, Fault};
use lyceum_core::job::{BEAT_SECONDS, Lease, Life, Process, Workers};

/// How long a pause is.
const PAUSE: Duration = Duration::from_millis(150);

/// Workers of this machine: a program with arguments, the id of the job the last of them.
#[derive(Clone, Debug)]
pub struct LocalWorkers {
    program: PathBuf,
    args: Vec<OsString>,
    folder: PathBuf,
}

impl LocalWorkers {
    /// Workers that run a program in a folder.
    #[must_use]
    pub fn new(program: PathBuf, args: Vec<OsString>, folder: &Path) -> Self {
        Self {
            program,
            args,
            folder: folder.to_owned(),
        }
    }

    fn start(&self, id: &str) -> std::io::Result<Child> {
        // A program that was replaced while it runs is still there for the system.
        let own = Path::new("/proc/self/exe");
        let program = if !self.program.exists() && own.exists() {
            own
        } else {
            self.program.as_path()
        };
        let mut command = Command::new(program);
        command
            .args(&self.args)
            .arg(id)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt as _;
            // DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP.
            command.creation_flags(0x0000_0208);
        }
        command.spawn()
    }
}

/// Leaves the session of whoever started this process, so that neither its terminal nor its end is ours. To be called
/// first by a program that is started as a worker.
pub fn detach() {
    #[cfg(unix)]
    {
        // It fails only for the first process of a group, which has nobody above it to be ended with.
        let _ = rustix::process::setsid();
    }
}

impl Workers for LocalWorkers {
    fn ready(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn spawn(&self, id: &str) -> Result<(), Failure> {
        let child = self.start(id).map_err(|error| Fault {
            code: "worker_not_started",
            place: self.program.display().to_string(),
            source_text: error.to_string(),
            retryable: true,
        })?;
        // A child that nobody waits for would stay in the process table, and look alive, as long as this process runs.
        // Without a thread for it that is what happens, and its heartbeat tells.
        let reaper = thread::Builder::new().name("reaper".to_owned());
        let _ = reaper.spawn(move || {
            let mut child = child;
            let _ = child.wait();
        });
        Ok(())
    }

    fn life(&self, lease: &Lease) -> Life {
        let here = place();
        if here.is_empty() || lease.place != here {
            return Life::Unknown;
        }
        match (seen(lease.pid), &lease.started) {
            (None, _) => Life::Gone,
            (Some(now), Some(then)) if now != *then => Life::Gone,
            (Some(_), Some(_)) => Life::Running,
            (Some(_), None) => Life::Unknown,
        }
    }

    fn me(&self) -> Process {
        let pid = std::process::id();
        Process {
            pid,
            started: seen(pid),
            place: place(),
        }
    }

    fn keep_alive(&self, beat: &(dyn Fn() -> bool + Sync), work: &mut dyn FnMut()) {
        let every = Duration::from_secs(BEAT_SECONDS.unsigned_abs());
        keep_alive(every, beat, work);
    }

    fn pause(&self) {
        thread::park_timeout(PAUSE);
    }
}

fn keep_alive(every: Duration, beat: &(dyn Fn() -> bool + Sync), work: &mut dyn FnMut()) {
    let (working, ended) = channel::<()>();
    thread::scope(|scope| {
        // Dropped at the end of the work, even when it panics: the scope waits for the thread.
        let working = working;
        scope.spawn(
            move || {
                while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) && beat() {}
            },
        );
        work();
        drop(working);
    });
}

/// The boot and the namespace that process numbers belong to here; empty where the system does not tell.
fn place() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let space = std::fs::read_link("/proc/self/ns/pid");
    match (boot, space) {
        (Ok(boot), Ok(space)) => format!("{} {}", boot.trim_end(), space.display()),
        _ => String::new(),
    }
}

/// When a process that still runs was started, in the system's ticks; `None` when there is none, or only its remains.
fn seen(pid: u32) -> Option<String> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(&String::from_utf8_lossy(&stat))
}

/// State and start are the 3rd and 22nd field; the second is a name in brackets that may itself hold brackets and spaces.
fn parse(stat: &str) -> Option<String> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?;
    (!matches!(state, "Z" | "X" | "x")).then(|| started.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use lyceum_core::base::Timestamp;

    use super::*;

    fn workers() -> LocalWorkers {
        LocalWorkers::new(PathBuf::from("/bin/true"), Vec::new(), Path::new("."))
    }

    fn lease(process: Process) -> Lease {
        Lease {
            worker: "w".to_owned(),
            pid: process.pid,
            started: process.started,
            place: process.place,
            heartbeat: Timestamp::from_unix(0),
            rest: serde_json::Map::new(),
        }
    }

    #[test]
    fn odd_names_do_not_mislead() {
        let tail = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(parse(&format!("12 (a) R (b c)) S {tail}")).unwrap(), "4711");
        assert_eq!(parse(&format!("12 (a) Z {tail}")), None);
        assert_eq!(parse("12 (a) S 1"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_process_is_told_from_another_with_its_number() {
        let me = workers().me();
        if me.place.is_empty() {
            eprintln!("skipped: the system has no process table in files");
            return;
        }
        assert_eq!(workers().life(&lease(me.clone())), Life::Running);
        let recycled = Process {
            started: Some("1".to_owned()),
            ..me.clone()
        };
        assert_eq!(workers().life(&lease(recycled)), Life::Gone);
        let elsewhere = Process {
            place: "other".to_owned(),
            ..me
        };
        assert_eq!(workers().life(&lease(elsewhere)), Life::Unknown);
    }

    #[test]
    fn the_remains_of_a_process_are_not_alive() {
        let mut child = Command::new("/bin/true").spawn().unwrap();
        let me = workers().me();
        let process = Process {
            pid: child.id(),
            started: seen(child.id()),
            place: me.place.clone(),
        };
        child.wait().unwrap();
        if !me.place.is_empty() {
            assert_eq!(workers().life(&lease(process)), Life::Gone);
        }
    }

    #[test]
    fn beats_go_on_until_the_work_ends_or_the_job_is_lost() {
        let beats = AtomicUsize::new(0);
        let (told, tells) = channel();
        let told = std::sync::Mutex::new(told);
        keep_alive(
            Duration::from_millis(1),
            &|| {
                let n = beats.fetch_add(1, Ordering::SeqCst) + 1;
                if n <= 3 {
                    let _ = told.lock().unwrap().send(n);
                }
                n < 5
            },
            &mut || {
                for n in 1..=3 {
                    let told = tells.recv_timeout(Duration::from_secs(60));
                    assert_eq!(told, Ok(n));
                }
            },
        );
        assert!(beats.load(Ordering::SeqCst) <= 5);
        let never = Duration::from_secs(3_600);
        let ended = std::panic::catch_unwind(|| {
            keep_alive(never, &|| true, &mut || panic!("the work breaks"));
        });
        assert!(ended.is_err());
    }
}
