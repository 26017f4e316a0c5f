# Read by the launchers, that of the repository and that of a release: finds an archive of the classes that a
# short command loads, which take a quarter of its time or more, and makes one at the first run on a JVM.
# Needs $java, $home, $version, $runtime, $quick, $jar, $main, and in $rehearsal a directory of recordings
# to convert for that. Where the path of the jar has a space, a JVM takes no more than its own classes from it.

# What is made of a recorded list holds old class files and the forms of lambdas, which a dump at the end of a
# run would not. From JDK 24 on its classes are linked, as in the cache that -XX:AOTCache names. The directory
# keeps a second launcher from making another. It stays where none can be made, so that the next try is a day
# later, and so does what was killed.
make_archive() (
  made=$1
  mkdir "$made.making" || {
    [ -z "$(find "$made.making" -prune -mtime +0)" ] || rm -rf "$made.making"
    exit 0
  }
  cd "$made.making" || exit 0
  # Neither an agent nor a log of the application's belongs into it.
  unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
  "$java" $quick -XX:DumpLoadedClassList=list -cp "$jar" "$main" rehearse "$rehearsal" -o profile.otlp || :
  "$java" $quick -XX:+IgnoreUnrecognizedVMOptions -XX:+AOTClassLinking -Xshare:dump \
    -XX:SharedClassListFile=list -XX:SharedArchiveFile=jsa -cp "$jar" && [ -s jsa ] &&
    touch -r "$jar" jsa && mv -f jsa "$made" && rm -rf "$made.making" || rm -f list profile.otlp jsa
)

# Whether it was made of this jar: it has the jar's time. The JVM itself tells an archive of another jar or
# JVM, and does without.
is_current() {
  [ -s "$1" ] && ! [ "$jar" -nt "$1" ] && ! [ "$jar" -ot "$1" ]
}

# Sets $key to what the archive of this jar and JVM is called: by their paths and the JVM's build; by a sum where
# these have a character that would make two names one, or may take several bytes, or are long.
name_archive() {
  key=${runtime:-${version:-none}}
  key=classes-${key%\"}
  # Slashes become commas, so two commas stand before the JVM's path and three before the jar's.
  set -f
  IFS=/
  for part in $home '' $jar; do
    key=$key,$part
  done
  unset IFS
  set +f
  case $home$jar in
    *[!/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-]*) long=yes ;;
    *) long= ;;
  esac
  if [ -n "$long" ] || [ "${#key}" -gt 200 ]; then
    key=$(printf '%s\n' "$key" | cksum) || return 1
    key=classes-${key%% *}
  fi
  key=$key.jsa
}

# Sets $archive to one in the first of some directories, or where the first is that can be written to; to
# nothing if there is none. A JVM takes a colon for the end of an archive's name.
find_archive() {
  archive=
  for store; do
    shift
    case $store in
      *:*) ;;
      *) set -- "$@" "$store" ;;
    esac
  done
  case "${JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-}" in
    *-Xshare* | *SharedArchiveFile* | *AOTCache* | *AOTMode*) return 0 ;; # Two at once may be an error.
  esac
  [ -n "$home" ] || return 0
  name_archive 2>/dev/null || return 0
  for store; do
    if is_current "$store/$key"; then
      archive=$store/$key
      return 0
    fi
  done
  for store; do
    if mkdir -p "$store" 2>/dev/null && [ -w "$store" ]; then
      make_archive "$store/$key" >/dev/null 2>&1 </dev/null || :
      if is_current "$store/$key"; then
        archive=$store/$key
      fi
      return 0
    fi
  done
}
