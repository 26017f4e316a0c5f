package org.buftrail.agent.ask;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.buftrail.agent.source.Collected;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.Rendering;
import org.buftrail.flow.control.FlowTracker;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the command line asks over the attach socket of the JVM. A question is a word and
 * what belongs to it; an answer is one line of ASCII. Thread-safe.
 */
public final class Questions {
  private static final long COLLECTION_MILLIS = 60_000;

  private final FlowSource source;
  private final Rendering rendering;

  /** Null before the first {@code follow}. Guarded by this. */
  private @Nullable Following following;

  public Questions(FlowSource source) {
    this.source = source;
    this.rendering = new Rendering(source);
  }

  /**
   * Answers a question:
   *
   * <ul>
   *   <li>{@code render FORMAT}: a fresh snapshot, gzipped, in Base64
   *   <li>{@code follow NONCE SECONDS PID}: one as JSON, and from now on further ones where {@link
   *       Following} leaves them
   *   <li>{@code collect}: what a collection proved
   *   <li>{@code reset}, {@code on}, {@code off}: nothing
   * </ul>
   *
   * @throws IllegalArgumentException for a question that is not understood
   * @throws IllegalStateException when that is not possible now
   */
  public String answer(String question) throws IOException {
    String[] words = question.split(" ", -1);
    if (words[0].equals("render") && words.length == 2) {
      return snapshot(words[1]);
    }
    if (words[0].equals("follow") && words.length == 4) {
      follow(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]));
      return snapshot("json");
    }
    switch (question) {
      case "collect":
        return Collected.now(source, COLLECTION_MILLIS).text();
      case "reset":
        source.reset();
        return "";
      case "on":
        FlowTracker.INSTANCE.setFollowing(true);
        return "";
      case "off":
        FlowTracker.INSTANCE.setFollowing(false);
        return "";
      default:
        throw new IllegalArgumentException("this agent does not know how to " + words[0]);
    }
  }

  /** The latest question wins. */
  private synchronized void follow(String nonce, int seconds, long pid) {
    Following before = following;
    if (before != null) {
      before.end();
    }
    Following made = new Following(this, nonce, seconds, pid);
    made.start();
    following = made;
  }

  String snapshot(String format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 14);
    try (OutputStream text = Base64.getEncoder().wrap(bytes);
        OutputStream packed = new GZIPOutputStream(text)) {
      rendering.write(Rendering.format(format), packed);
    }
    return new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
  }
}
