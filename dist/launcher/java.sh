# Read by the launchers, that of the repository and that of a release, with the command's arguments: sets $java
# to the JVM and $quick to the options with which a short command is done soonest. Needs die().

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || die "JAVA_HOME is $JAVA_HOME, which has no bin/java; correct it or unset it"
else
  java=$(command -v java) || die "no java found; install Java 17 or later, and put it on PATH or set JAVA_HOME"
fi

# The optimising compiler and a collector with threads cost more than they gain until an input is large.
quick="-XX:TieredStopAtLevel=1 -XX:-UsePerfData"
case "${JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-}" in
  *-XX:+Use*GC*) ;; # Two collectors at once are an error.
  *) quick="$quick -XX:+UseSerialGC" ;;
esac

# Whether an argument names what takes longer to convert than the JVM takes to start.
is_large() {
  for argument; do
    shift
    case $argument in
      '' | -*) ;;
      /*) set -- "$@" "$argument" ;;
      *) set -- "$@" "./$argument" ;;
    esac
  done
  [ $# -gt 0 ] && [ -n "$(find -H "$@" -maxdepth 2 -type f -size +256M -print -quit 2>/dev/null)" ]
}

# Whether a command stays, or has much to read.
is_long() {
  [ "${1:-}" = watch ] || is_large "$@"
}

# Whether a command may need the engine for SQL, which is native code.
needs_sql() {
  case " $* " in
    " sql "* | " watch "* | *parquet*) return 0 ;;
    *) return 1 ;;
  esac
}
