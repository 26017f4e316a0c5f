# Read by the launchers, that of the repository and that of a release, with the command's arguments: sets $java
# to the JVM, $quick to the options with which a short command is done soonest, and $home, $version and $runtime to
# where the JVM is and what it is. Needs $jar and die().

case $jar in
  *:*) die "$jar: Java takes a colon for the end of a path; move it to another directory" ;;
esac

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || die "JAVA_HOME is $JAVA_HOME, which has no bin/java; correct it or unset it"
else
  java=$(command -v java) || die "no java found; install Java 17 or later, and put it on PATH or set JAVA_HOME"
fi

# The JVM's own directory, or nothing. Each process that a launcher starts takes a hundredth of a short run.
# JAVA_HOME may be a link that names another JVM tomorrow.
if [ -n "${JAVA_HOME:-}" ] && [ -r "$JAVA_HOME/release" ]; then
  home=$(CDPATH= cd -P "$JAVA_HOME" && pwd) || home=
else
  home=$(readlink -f "$java" 2>/dev/null) || home=
  home=${home%/bin/java}
fi

# Its version, and that of its build, each followed by a quotation mark, or nothing, by the file that names them.
version=
runtime=
if [ -n "$home" ] && [ -r "$home/release" ]; then
  while read -r line; do
    case $line in
      'JAVA_VERSION="'*) version=${line#*\"} ;;
      'JAVA_RUNTIME_VERSION="'*) runtime=${line#*\"} ;;
    esac
    [ -z "$version" ] || [ -z "$runtime" ] || break
  done <"$home/release"
fi

# The optimising compiler and a collector with threads cost more than they gain until an input is large. But on
# JDK 17 only G1 takes objects from an archive, which gains more.
quick="-XX:TieredStopAtLevel=1 -XX:-UsePerfData"
case "${JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-}" in
  *-XX:+Use*GC*) ;; # Two collectors at once are an error.
  *)
    case $version in
      17\" | 17.*) quick="$quick -XX:+UseG1GC" ;;
      *) quick="$quick -XX:+UseSerialGC" ;;
    esac
    ;;
esac

# Whether an argument names a file of more than $1, as find says it.
is_above() {
  size=$1
  shift
  for argument; do
    shift
    case $argument in
      '' | -*) ;;
      /*) set -- "$@" "$argument" ;;
      *) set -- "$@" "./$argument" ;;
    esac
  done
  [ $# -gt 0 ] && [ -n "$(find -H "$@" -maxdepth 2 -type f -size "+$size" -print -quit 2>/dev/null)" ]
}

# Sets $options to those with which the command of the arguments is done soonest.
choose_options() {
  options=$quick
  command=${1:-}
  [ $# -eq 0 ] || shift # A directory may have the command's name.
  if [ "$command" = watch ]; then
    options=
  elif ! is_above 2M "$@"; then
    # Most methods run too seldom to be worth compiling.
    options="$quick -XX:CompileThresholdScaling=3"
  elif is_above 256M "$@"; then
    options=
  fi
}

# Whether a command may need the engine for SQL, a jar of its own. Only questions load its native code. The name of
# a format is taken in any case.
needs_sql() {
  case " $* " in
    " sql "* | " watch "* | " compact "* | *[Pp][Aa][Rr][Qq][Uu][Ee][Tt]*) return 0 ;;
    *) return 1 ;;
  esac
}

# Becomes the JVM that runs the command. Needs $jar, $main, and in $archive that of their classes, or nothing; in $sql
# where the engine for SQL is, or nothing where it is beside the jar.
start() {
  choose_options "$@"
  engine=
  if needs_sql "$@"; then
    engine=$sql
  fi
  if [ "${1:-}" = sql ]; then
    options="$options --enable-native-access=ALL-UNNAMED"
  fi
  archived=
  if [ -n "$archive" ]; then
    # Where the archive was made for is free; to move it, all of it would be read and written. With native code,
    # from JDK 24 on, it is not used, which nobody has to be told.
    archived="-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -Xlog:disable -Xlog:all=error,cds=off:stderr"
  fi
  # A JVM does not look at TMPDIR.
  temporary=
  if [ -d "${TMPDIR:-}" ]; then
    temporary=-Djava.io.tmpdir=$TMPDIR
  fi
  if [ -n "$archive" ]; then
    # On the class path the jar need not be opened, nor the JVM's version looked at.
    set -- -cp "$jar" "$main" "$@"
  else
    set -- -jar "$jar" "$@"
  fi
  exec "$java" $options ${archive:+"-XX:SharedArchiveFile=$archive"} $archived \
    ${engine:+"-Dbuftrail.sql=$engine"} ${temporary:+"$temporary"} ${JAVA_OPTS:-} "-Dbuftrail.launcher=$0" "$@"
}
