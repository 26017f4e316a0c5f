package consumer;

import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;

/** Converts recordings, each by itself and some to one, and prints a digest of each output. */
public final class Digests {
  private Digests() {}

  /**
   * @param args the number of workers, how many recordings go to one, then recordings
   */
  public static void main(String[] args) throws Exception {
    int workers = Integer.parseInt(args[0]);
    int joined = Integer.parseInt(args[1]);
    List<Path> files = Arrays.stream(args).skip(2).map(Path::of).toList();
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    Converter converter = new Converter(Options.DEFAULT.timestamps(true)).workers(pool, workers);
    for (Path file : files) {
      System.out.println(file.getFileName() + " " + outcome(converter, file));
    }
    System.out.println("joined " + digest(converter.convert(files.subList(0, joined))));
    pool.shutdown();
  }

  private static String outcome(Converter converter, Path file) throws Exception {
    try {
      return digest(converter.convert(List.of(file)));
    } catch (RecordingException e) {
      return String.valueOf(e.getMessage());
    }
  }

  static String digest(Conversion conversion) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
    ProfileWriters.of(ProfileFormat.OTLP).write(List.of(conversion.profiles()), out);
    return HexFormat.of().formatHex(digest.digest()) + " " + conversion.damages();
  }
}
