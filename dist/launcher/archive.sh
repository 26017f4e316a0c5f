# Read by ../../buftrail: sets $archive to the options for an archive of the classes that a short command
# loads, which take a quarter of its time or more. It is made at the first run on a JVM.

# A list of these classes is recorded, and dumped. What is made so holds old class files and the forms of
# lambdas, which a dump at the end of a run would not; from JDK 24 on its classes are linked too.
make_archive() {
  recordings=$root/jfr/src/test/resources/recordings
  training=$(mktemp -d "$root/dist/target/.training.XXXXXX") || return 0
  "$java" $quick "-XX:DumpLoadedClassList=$training/list" -cp "$jar" "$main" \
    rehearse "$recordings/jdk11.jfr.gz" "$recordings/jdk25.jfr.gz" \
    "$recordings/jdk-500-50-100.jfr.gz" "$recordings/dd-500-50-100.jfr.gz" \
    -o "$training/profile.otlp" &&
    "$java" $quick -XX:+IgnoreUnrecognizedVMOptions -XX:+AOTClassLinking -Xshare:dump \
      "-XX:SharedClassListFile=$training/list" "-XX:SharedArchiveFile=$training/jsa" -cp "$jar" || :
  # Where none can be made, an empty one says so.
  [ -s "$training/jsa" ] || : >"$training/jsa"
  mv -f "$training/jsa" "$archive"
  rm -rf "$training"
}

# One for each JVM and version of it. The JVM itself tells an archive of another jar, and does without.
home=$(readlink -f "$java")
home=${home%/bin/java}
jvm=$(printf '%s' "$home" | cat - "$home/release" 2>/dev/null | cksum)
archive=$root/dist/target/classes-${jvm%% *}.jsa
if [ ! -f "$archive" ] || [ "$jar" -nt "$archive" ]; then
  make_archive >/dev/null 2>&1
fi
if [ ! -s "$archive" ]; then
  archive=
fi
