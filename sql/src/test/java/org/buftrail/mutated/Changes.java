package org.buftrail.mutated;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.buftrail.jfr.RecordingMutator;

/** Changes inputs in their structure or anywhere, and packs some of them. */
final class Changes {
  private final Random random;
  private final Noise noise;

  /** An input: the ending of its name, and what it holds. */
  static final class Input {
    final String ending;
    final byte[] bytes;

    Input(String ending, byte[] bytes) {
      this.ending = ending;
      this.bytes = bytes;
    }
  }

  Changes(Random random) {
    this.random = random;
    noise = new Noise(random);
  }

  /** One input of another: nothing is changed in one of twenty. */
  Input of(Input input) throws IOException {
    byte[] bytes = input.bytes;
    if (random.nextInt(20) > 0) {
      bytes = random.nextInt(5) > 0 ? structured(input) : noise.change(bytes);
      if (random.nextInt(6) == 0) {
        bytes = noise.change(bytes);
      }
    }
    return random.nextInt(5) == 0
        ? packed(new Input(input.ending, bytes))
        : new Input(input.ending, bytes);
  }

  private byte[] structured(Input input) throws IOException {
    byte[] bytes = input.bytes;
    if (bytes.length == 0) {
      return bytes;
    }
    return switch (input.ending) {
      case ".jfr" -> new RecordingMutator(random.nextLong()).mutate(bytes);
      case ".json", ".otlp.json" -> new TextMutator(random).json(bytes);
      case ".collapsed" -> new TextMutator(random).lines(bytes);
      case ".pb.gz" -> gzip(new ProtobufMutator(random).mutate(unzipped(bytes)));
      default -> new ProtobufMutator(random).mutate(bytes);
    };
  }

  private Input packed(Input input) throws IOException {
    return switch (random.nextInt(4)) {
      case 0 -> damaged(input.ending + ".gz", gzip(input.bytes));
      case 1 -> damaged(input.ending + ".zst", zstd(input.bytes));
      case 2 -> damaged(input.ending + ".lz4", lz4(input.bytes));
      default -> damaged(".zip", zip(input));
    };
  }

  private Input damaged(String ending, byte[] packed) {
    return new Input(ending, random.nextBoolean() ? noise.flipped(packed) : packed);
  }

  private static byte[] unzipped(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] zstd(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] lz4(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new LZ4FrameOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private byte[] zip(Input input) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(packed)) {
      for (int i = random.nextInt(2); i >= 0; i--) {
        String name = random.nextBoolean() ? "a" : "../../../x";
        out.putNextEntry(new ZipEntry(name + i + input.ending));
        out.write(input.bytes);
        out.closeEntry();
      }
    }
    return packed.toByteArray();
  }
}
