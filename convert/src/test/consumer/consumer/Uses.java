package consumer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.MethodCost;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.StackSample;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.input.ProfileReaders;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.push.Delivery;

/** What the page on the library shows, run one after the other. */
public final class Uses {
  private Uses() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of(args[0]);
    Path converted = Path.of(args[1]);
    sources(file);
    methods(file);
    samples(file);
    diff(converted, converted);
    check(converted);
    if (args.length > 2) {
      push(converted, args[2]);
    }
  }

  private static void sources(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    try (FileChannel channel = FileChannel.open(file);
        InputStream in = Files.newInputStream(file)) {
      for (Recording recording :
          List.of(
              Recording.of(file),
              Recording.of("uploads/17", bytes),
              Recording.of("uploads/17", ByteBuffer.wrap(bytes)),
              Recording.of("uploads/17", channel),
              Recording.of("uploads/17", in))) {
        System.out.println(recording.profiles().profiles().get(0).total());
      }
    }
  }

  private static void methods(Path file) throws IOException {
    Profiles profiles = Recording.of(file).profiles();
    for (MethodCost method : profiles.hottest("cpu", 10)) {
      System.out.println(method.self() + " " + method.name());
    }
  }

  private static void samples(Path file) throws IOException {
    Profiles profiles = Recording.of(file).profiles();
    for (StackSample sample : profiles.samples("cpu")) {
      System.out.println(sample.value() + " " + sample.frames());
    }
  }

  private static void diff(Path before, Path after) throws IOException {
    List<Profiles> base = ProfileReaders.read(before);
    List<Profiles> now = ProfileReaders.read(after);
    ProfileDiff diff = ProfileDiff.of(base, now, ProfileDiff.Scale.AUTO, false);
    diff.retain(Set.of("cpu"));
    for (Measure measure : diff.measures()) {
      System.out.println(measure.type() + " " + measure.growthPercent() + " %");
    }
  }

  private static void check(Path converted) throws IOException {
    try (InputStream in = Files.newInputStream(converted)) {
      Conformance.check(in).violations().forEach(System.out::println);
    }
  }

  private static void push(Path converted, String endpoint)
      throws IOException, InterruptedException {
    Delivery delivery = Delivery.to(endpoint);
    delivery.send(ProfileReaders.read(converted));
    System.out.println(delivery.requests() + " requests");
  }
}
