package org.buftrail.agent.push;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.push.PushTarget;
import org.buftrail.profile.push.Sender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PusherTest {
  private static final Integer[] BUSY = {429, 502, 503, 504};
  private static final Integer[] REFUSALS = {400, 403, 404, 413, 500};

  private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<Map<String, String>> heads = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private byte[] answer = new byte[0];
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1development/profiles", this::take);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Integer status = statuses.poll();
    if (status == null) {
      Map<String, String> head = new LinkedHashMap<>();
      exchange.getRequestHeaders().forEach((name, values) -> head.put(name, values.get(0)));
      heads.add(head);
      received.add(body);
    } else {
      exchange.getResponseHeaders().set("Retry-After", "0");
    }
    exchange.sendResponseHeaders(
        status == null ? 200 : status, answer.length == 0 ? -1 : answer.length);
    if (answer.length > 0) {
      exchange.getResponseBody().write(answer);
    }
    exchange.close();
  }

  private Pusher pusher(Snapshot base) {
    return pusher(base, log::add);
  }

  private Pusher pusher(Snapshot base, Consumer<String> log) {
    return new Pusher(target(), base, log);
  }

  private PushTarget target() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return PushTarget.of(
        url,
        "endpoint",
        Map.of("OTEL_SERVICE_NAME", "orders", "OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b"));
  }

  /** Sends what is under way on this thread, until an outcome says that it is done with. */
  private static void push(Pusher pusher) throws InterruptedException {
    while (!pusher.isWanted()) {
      pusher.sendNext(pusher.awaitPart());
    }
  }

  private ExportProfilesServiceRequest next() throws Exception {
    byte[] body = received.poll(30, TimeUnit.SECONDS);
    assertThat(body).as("%s", log).isNotNull();
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
    assertThat(Conformance.check(new ByteArrayInputStream(plain)).violations()).isEmpty();
    return ExportProfilesServiceRequest.parseFrom(plain);
  }

  /** The sum of each profile by its type. */
  private static Map<String, Long> sums(ExportProfilesServiceRequest request) {
    ProfilesDictionary dictionary = request.getDictionary();
    Map<String, Long> sums = new LinkedHashMap<>();
    for (Profile profile : request.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
      String type = dictionary.getStringTable(profile.getSampleType().getTypeStrindex());
      long sum = profile.getSamplesList().stream().mapToLong(PusherTest::value).sum();
      sums.put(type, sum);
    }
    return sums;
  }

  private static long value(Sample sample) {
    return sample.getValues(0);
  }

  private static Snapshot at(long millis, long leaked, long live) {
    return SnapshotBuilder.none()
        .direct("directBuffer app.A.read", 100, leaked, live)
        .after(millis)
        .build();
  }

  @Test
  void liveIsSentAsItIsAndLeaksAsTheyGrow() throws Exception {
    Pusher pusher = pusher(at(0, 5, 1));
    pusher.look(at(60_000, 7, 3));
    push(pusher);
    ExportProfilesServiceRequest first = next();
    assertThat(sums(first))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "live_space",
                300L,
                "live_objects",
                3L,
                "leaked_space",
                200L,
                "leaked_objects",
                2L,
                "allocated_space",
                200L,
                "allocated_objects",
                2L));
    assertThat(pusher.accepted()).isEqualTo(1);
    pusher.look(at(120_000, 8, 3));
    push(pusher);
    assertThat(sums(next())).containsEntry("leaked_objects", 1L).containsEntry("live_objects", 3L);
    assertThat(first.getResourceProfiles(0).getResource().getAttributesList())
        .anySatisfy(
            attribute -> {
              assertThat(attribute.getKey()).isEqualTo("service.name");
              assertThat(attribute.getValue().getStringValue()).isEqualTo("orders");
            });
    Map<String, String> head = heads.remove();
    assertThat(head)
        .containsEntry("Content-type", "application/x-protobuf")
        .containsEntry("Content-encoding", "gzip")
        .containsEntry("Api-key", "a b");
    assertThat(log).isEmpty();
  }

  @Test
  void leaksAreOverTheirTimeAndLiveAtTheMoment() throws Exception {
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 1, 1));
    push(pusher);
    ExportProfilesServiceRequest request = next();
    for (Profile profile : request.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
      String type =
          request.getDictionary().getStringTable(profile.getSampleType().getTypeStrindex());
      long nanos = TimeUnit.MILLISECONDS.toNanos(1);
      boolean live = type.startsWith("live");
      assertThat(profile.getTimeUnixNano())
          .isEqualTo((SnapshotBuilder.TAKEN_AT + (live ? 60_000 : 0)) * nanos);
      assertThat(profile.getDurationNano()).isEqualTo(live ? nanos : 60_000 * nanos);
    }
    assertThat(pusher.refused()).isZero();
  }

  @Test
  void aReceiverThatIsFullGetsItLaterOnceAndTheNextHoldsWhatLeakedMeanwhile() throws Exception {
    statuses.addAll(List.of(503, 429, 504));
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 2, 0));
    for (int failure = 1; failure <= 3; failure++) {
      assertThat(pusher.sendNext(pusher.awaitPart()).fate()).isEqualTo(Sender.Fate.LATER);
      assertThat(pusher.isWanted()).isFalse();
    }
    assertThat(received).isEmpty();
    push(pusher);
    assertThat(sums(next())).containsEntry("leaked_objects", 2L);
    assertThat(pusher.accepted()).isEqualTo(1);
    pusher.look(at(120_000, 9, 0));
    push(pusher);
    assertThat(sums(next())).containsEntry("leaked_objects", 7L);
    assertThat(pusher.accepted()).isEqualTo(2);
    assertThat(received).isEmpty();
    assertThat(log).hasSize(2);
    assertThat(log.get(0)).contains("failed: status 503; trying again");
    assertThat(log.get(1)).contains("works again after 3 failures; given up so far: 0 refused, 0 ");
  }

  @Test
  void whatIsRefusedIsCountedAndNotSentAgain() throws Exception {
    statuses.addAll(List.of(400, 400));
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 2, 0));
    push(pusher);
    assertThat(pusher.refused()).isEqualTo(1);
    pusher.look(at(120_000, 3, 0));
    push(pusher);
    assertThat(pusher.refused()).isEqualTo(2);
    pusher.look(at(180_000, 4, 0));
    push(pusher);
    assertThat(sums(next())).containsEntry("leaked_objects", 1L);
    assertThat(pusher.accepted()).isEqualTo(1);
    assertThat(received).isEmpty();
    assertThat(log.get(0)).contains("failed: status 400; it is not sent again");
  }

  /** As with a wrong certificate: here the receiver does not speak TLS at all. */
  @Test
  void withoutASecureConnectionNothingIsTriedBeforeTheNextPushWhichHoldsAll() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread receiver = new Thread(() -> answerPlainly(plain, connections));
      receiver.setDaemon(true);
      receiver.start();
      String url = "https://127.0.0.1:" + plain.getLocalPort();
      Snapshot base = at(1_000, 0, 0);
      Pusher pusher = new Pusher(PushTarget.of(url, "endpoint", Map.of()), base, log::add);
      for (int push = 1; push <= 3; push++) {
        pusher.look(at(60_000L * push, push, 0));
        push(pusher);
        assertThat(connections).hasValue(push);
        assertThat(pusher.sinceMillis()).isEqualTo(base.takenAtMillis());
      }
      assertThat(pusher.refused() + pusher.uncertain() + pusher.accepted()).isZero();
      assertThat(log).singleElement().asString().endsWith("; not tried again before the next push");
    }
  }

  private static Snapshot leaks(int count, long millis) {
    SnapshotBuilder flows = SnapshotBuilder.none();
    for (int i = 0; i < count; i++) {
      flows.direct("directBuffer app.A.read" + i, 0, 1, 0);
    }
    return flows.after(millis).build();
  }

  /** As when the certificate of a receiver ends between two parts of a push. */
  @Test
  void whatWasTakenBeforeTheConnectionWasInsecureIsNotToldAgain() throws Exception {
    Sender.Outcome insecure;
    try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread receiver = new Thread(() -> answerPlainly(plain, new AtomicInteger()));
      receiver.setDaemon(true);
      receiver.start();
      String url = "https://127.0.0.1:" + plain.getLocalPort();
      insecure = new Sender(PushTarget.of(url, "endpoint", Map.of())).send(new byte[1]);
    }
    assertThat(insecure.fate()).isEqualTo(Sender.Fate.INSECURE);
    Pusher pusher = new Pusher(target(), at(0, 0, 0), log::add, 1_500);
    Snapshot many = leaks(40, 60_000);
    pusher.look(many);
    assertThat(pusher.sendNext(pusher.awaitPart()).fate()).isEqualTo(Sender.Fate.ACCEPTED);
    assertThat(sums(next()).getOrDefault("leaked_objects", 0L)).isLessThan(40);

    pusher.became(insecure);

    assertThat(pusher.refused()).isPositive();
    assertThat(pusher.sinceMillis()).isEqualTo(many.takenAtMillis());
    pusher.look(leaks(41, 120_000));
    push(pusher);
    long told = 0;
    while (!received.isEmpty()) {
      told += sums(next()).getOrDefault("leaked_objects", 0L);
    }
    assertThat(told).isEqualTo(1);
  }

  private static void answerPlainly(ServerSocket socket, AtomicInteger connections) {
    while (true) {
      try (Socket connection = socket.accept()) {
        connection.getInputStream().read();
        // Before the answer, which the test waits for.
        connections.incrementAndGet();
        connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      } catch (IOException e) {
        return;
      }
    }
  }

  @Test
  void aReceiverThatIsDownIsReportedOnce() throws Exception {
    int port = server.getAddress().getPort();
    server.stop(0);
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 2, 0));
    for (int i = 0; i < 5; i++) {
      assertThat(pusher.sendNext(pusher.awaitPart()).fate()).isEqualTo(Sender.Fate.LATER);
    }
    assertThat(log).hasSize(1);
    assertThat(log.get(0))
        .startsWith("push to http://127.0.0.1:" + port + "/v1development/profiles failed: ")
        .endsWith("; trying again");
    assertThat(pusher.isWanted()).isFalse();
  }

  @Test
  void whatIsPartlyRejectedIsSaid() throws Exception {
    answer =
        ExportProfilesServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportProfilesPartialSuccess.newBuilder()
                    .setRejectedProfiles(3)
                    .setErrorMessage("too many\nstacks"))
            .build()
            .toByteArray();
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 2, 0));
    push(pusher);
    assertThat(pusher.refused()).isEqualTo(1);
    assertThat(log.get(0)).endsWith("the receiver rejected 3 profiles: too many stacks");
  }

  @Test
  void aWarningIsSaidOnceAndIsNoRefusal() throws Exception {
    answer =
        ExportProfilesServiceResponse.newBuilder()
            .setPartialSuccess(ExportProfilesPartialSuccess.newBuilder().setErrorMessage("hm"))
            .build()
            .toByteArray();
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.look(at(60_000, 2, 0));
    push(pusher);
    pusher.look(at(120_000, 3, 0));
    push(pusher);
    assertThat(pusher.accepted()).isEqualTo(2);
    assertThat(pusher.refused()).isZero();
    assertThat(log).singleElement().asString().endsWith(": the receiver warns: hm");
  }

  /** Answers each connection with {@code 100 Continue} until it breaks. */
  private static void continueForEver(ServerSocket socket) {
    while (true) {
      try (Socket connection = socket.accept()) {
        while (true) {
          connection.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII));
        }
      } catch (IOException e) {
        if (socket.isClosed()) {
          return;
        }
      }
    }
  }

  @Test
  void aReceiverThatGoesOnToContinueIsSurvived() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread receiver = new Thread(() -> continueForEver(socket), "receiver");
      receiver.setDaemon(true);
      receiver.start();
      String url = "http://127.0.0.1:" + socket.getLocalPort();
      Pusher pusher = new Pusher(PushTarget.of(url, "endpoint", Map.of()), at(0, 0, 0), log::add);
      for (int push = 1; push <= 3; push++) {
        pusher.look(at(push * 60_000L, push, 0));
        push(pusher);
        assertThat(pusher.uncertain()).isEqualTo(push);
      }
      assertThat(log)
          .singleElement()
          .asString()
          .contains("goes on to say that it will answer, and does not")
          .endsWith("; it may have arrived and is not sent again");
    }
  }

  @Test
  void whatFailsIsToldWithTheHealthOfTheThread() throws Exception {
    statuses.add(418);
    CountDownLatch told = new CountDownLatch(1);
    Pusher pusher = pusher(at(0, 0, 0), line -> told.countDown());
    pusher.start();
    pusher.look(at(60_000, 2, 0));
    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    // Waits until all of it is told.
    assertThat(pusher.refused()).isEqualTo(1);
    assertThat(FlowTracker.INSTANCE.snapshot().status().threads())
        .filteredOn(thread -> String.valueOf(thread.lastFailure()).contains("status 418"))
        .singleElement()
        .satisfies(
            thread -> {
              assertThat(thread.name()).isEqualTo("buftrail-push");
              assertThat(thread.failures()).isEqualTo(1);
              assertThat(thread.lastFailure()).endsWith("status 418; it is not sent again");
            });
  }

  /** With the thread that sends: what it sends is waited for, nothing else. */
  @Test
  void interruptsDoNotEndThePushes() throws Exception {
    Pusher pusher = pusher(at(0, 0, 0));
    pusher.start();
    for (int push = 1; push <= 3; push++) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("buftrail-push"))
          .forEach(Thread::interrupt);
      pusher.look(at(push * 60_000L, push, 0));
      assertThat(sums(next())).containsEntry("leaked_objects", 1L);
    }
    assertThat(log).isEmpty();
  }

  /** Whatever happened before: what leaked is told once, or counted as given up. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void noLeakIsToldTwiceWhateverTheReceiverSaid(long seed) throws Exception {
    Random random = new Random(seed);
    Pusher pusher = pusher(at(0, 0, 0));
    long leaked = 0;
    long told = 0;
    long givenUp = 0;
    int accepted = 0;
    int refused = 0;
    for (int push = 1; push <= 30; push++) {
      long more = 1L + random.nextInt(9);
      leaked += more;
      pusher.look(at(push * 60_000L, leaked, 0));
      for (int busy = random.nextInt(3); busy > 0; busy--) {
        statuses.add(BUSY[random.nextInt(BUSY.length)]);
        assertThat(pusher.sendNext(pusher.awaitPart()).fate()).isEqualTo(Sender.Fate.LATER);
        assertThat(pusher.isWanted()).isFalse();
      }
      boolean refuses = random.nextInt(3) == 0;
      if (refuses) {
        statuses.add(REFUSALS[random.nextInt(REFUSALS.length)]);
      }
      push(pusher);
      assertThat(pusher.sinceMillis()).isEqualTo(at(push * 60_000L, 0, 0).takenAtMillis());
      givenUp += refuses ? more : 0;
      refused += refuses ? 1 : 0;
      accepted += refuses ? 0 : 1;
      told += refuses ? 0 : Objects.requireNonNull(sums(next()).get("leaked_objects"));
      assertThat(told + givenUp).as("seed %s", seed).isEqualTo(leaked);
      assertThat(received).isEmpty();
      assertThat(List.of(pusher.accepted(), pusher.refused(), pusher.uncertain()))
          .isEqualTo(List.of((long) accepted, (long) refused, 0L));
    }
    assertThat(accepted).isPositive();
    assertThat(refused).isPositive();
  }
}
