/**
 * Converts JDK Flight Recorder files to profiles, and writes these.
 *
 * <pre>{@code
 * Profiles profiles = Recording.of(Path.of("app.jfr")).profiles();
 * try (OutputStream out = Files.newOutputStream(Path.of("app.otlp"))) {
 *   ProfileWriters.of(ProfileFormat.OTLP).write(List.of(profiles), out);
 * }
 * }</pre>
 *
 * <p>A {@code Recording} and {@code Options} are immutable. All else belongs to one thread at a
 * time, and so do the profiles, which share their dictionary. Work is done by the calling thread,
 * and by threads of an executor that {@code Converter.workers} is lent, on no others: neither a
 * common pool that is busy nor one whose threads carry interrupts matters. An interrupt of the
 * calling thread ends a conversion.
 */
module org.buftrail.convert {
  requires static org.jspecify;

  exports org.buftrail.jfr;
  exports org.buftrail.jfr.rows;
  exports org.buftrail.profile;
  exports org.buftrail.profile.dictionary;
  exports org.buftrail.profile.diff;
  exports org.buftrail.profile.input;
  exports org.buftrail.profile.otlp;
  exports org.buftrail.profile.otlp.check;
  exports org.buftrail.profile.output;
  exports org.buftrail.profile.push;
  exports org.buftrail.profile.trie;
}
