# Read by ../../buftrail: builds $jar when it is missing or older than a source.

# What this command runs: the benchmarks are a jar of their own.
benchmarks=$root/benchmarks/target/benchmarks.jar
modules=dist
help=
case "${1:-} ${2:-}" in
  help\ * | -h\ * | --help\ * | *\ -h | *\ --help) help=yes ;;
esac
if [ "${1:-}" = bench ] && [ -z "$help" ]; then
  # What is no mode is said without building the benchmarks.
  case ${2:-} in
    baseline | track-all | track-direct | sampled | quick | compare | services | startup | convert | sql | fleet | table)
      modules=dist,benchmarks
      ;;
  esac
fi

# Says `stale` if what is to be run is missing or older than a source.
judge_jar() {
  # Nobody waits for a build to read the help that there is.
  if [ -n "$help" ] && [ -f "$jar" ]; then
    return
  fi
  oldest=$jar
  if [ "$modules" != dist ] && { [ ! -f "$benchmarks" ] || [ "$jar" -nt "$benchmarks" ]; }; then
    oldest=$benchmarks
  fi
  if [ ! -f "$jar" ] || [ ! -f "$oldest" ]; then
    echo stale
  else
    find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main -newer "$oldest" -type f \
      -exec echo stale \; -quit
  fi
}

# Keeps Maven's output in $log and shows how far it is; fails unless the last line is `built`.
watch_build() {
  line=
  downloads=0
  while IFS= read -r next; do
    line=$next
    printf '%s\n' "$line" >>"$log"
    case $line in
      '[INFO] Building Buftrail '*\])
        module=${line#'[INFO] Building '}
        printf 'buftrail:   %s %s\n' "${line##* }" "${module%% [0-9]*}" >&2
        ;;
      'Downloaded from '*)
        downloads=$((downloads + 1))
        [ $((downloads % 100)) -ne 0 ] || printf 'buftrail:   %s files downloaded\n' "$downloads" >&2
        ;;
    esac
  done
  [ "$line" = built ]
}

build() {
  command -v mvn >/dev/null || die "mvn not found; install Maven 3.8 or later to build $jar"
  [ -x "$(dirname "$(readlink -f "$java")")/javac" ] || die "$java is no JDK; building $jar needs one, 17 or later"
  printf 'buftrail: building %s, once; this takes some minutes\n' "$jar" >&2
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  # Not every shell does what is to be done at the end when a signal ends it.
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # The exit code of a pipe is that of its end. Maven may end without the end of a line.
  if ! { (cd "$root" && mvn -B -DskipTests -pl "$modules" -am package) 2>&1 && printf '\nbuilt\n'; } | watch_build; then
    grep -v -e '^\[INFO]' -e '^Download' -e '^Progress' "$log" >&2 || true
    die "the build failed; see above"
  fi
  rm -f "$log"
  trap - EXIT INT TERM
  touch "$jar"
  [ "$modules" = dist ] || touch "$benchmarks"
}

if [ -n "$(judge_jar)" ]; then
  # Two launchers at once build once: the second waits, and finds the jar fresh.
  mkdir -p "$root/dist/target"
  if command -v flock >/dev/null; then
    exec 9>"$root/dist/target/.building"
    flock 9
  fi
  [ -z "$(judge_jar)" ] || build
  exec 9>&-
fi
