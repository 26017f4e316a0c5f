/**
 * Converts JDK Flight Recorder files to profiles.
 *
 * <pre>{@code
 * Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(Path.of("app.jfr")));
 * conversion.profiles();  // to a writer of org.buftrail.profile
 * conversion.damages();   // what could not be read; empty if all was
 * conversion.stats();     // what was found, by event type
 * }</pre>
 *
 * <p>{@link org.buftrail.jfr.Options} selects kinds, a time range and details. A file that is no
 * recording ends in a {@link org.buftrail.jfr.RecordingException}, whose message is one line; a
 * damaged recording is converted as far as it can be read, and its profiles' resource has the
 * attribute {@code buftrail.recording.partial}.
 *
 * <p>Inside, bytes go one way: {@code input} opens what was named, {@code file} has the recording
 * in memory, {@code schema} knows its types, {@code chunk} decodes a chunk with {@code events}
 * (added up by the keys that they hold), {@code constants} and {@code stacks} (what the keys stand
 * for) and {@code process} (who wrote it); {@code samples} makes samples over a dictionary of that,
 * and {@code merge} adds up the chunks of recordings. No package knows those after it.
 */
package org.buftrail.jfr;
