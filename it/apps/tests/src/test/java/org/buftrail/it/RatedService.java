package org.buftrail.it;

import java.util.ArrayList;
import java.util.List;

/**
 * A service of the usual shape, and its caller.
 *
 * @param name what the table says
 * @param server what follows {@code java} and the JVM's options
 * @param client the same for the process that calls it
 */
record RatedService(String name, List<String> server, List<String> client) {
  static List<RatedService> all() {
    List<String> http = new ArrayList<>();
    http.addAll(List.of("-cp", ApplicationTests.classes("driver").toString()));
    http.add("org.buftrail.apps.driver.OpenRate");
    List<String> boot = new ArrayList<>(http);
    boot.addAll(List.of("GET", "/items/7", "0", "GET", "/hello/you?times=2", "0"));
    boot.addAll(List.of("POST", "/echo", "200", "POST", "/echo", "4096"));
    List<String> vertx = new ArrayList<>(http);
    vertx.addAll(List.of("GET", "/hello/you", "0", "POST", "/orders", "200"));
    vertx.addAll(List.of("POST", "/orders", "4096", "POST", "/echo", "4096"));
    List<String> grpc = new ArrayList<>(ApplicationTests.shop("grpc", "grpc"));
    grpc.set(grpc.size() - 1, "org.buftrail.apps.grpc.Rate");
    return List.of(
        new RatedService(
            "Spring WebFlux",
            List.of(
                "-jar", RunningApplication.APPS.resolve("boot/target/application.jar").toString()),
            boot),
        new RatedService("Vert.x", ApplicationTests.shop("vertx", "vertx"), vertx),
        new RatedService("gRPC", ApplicationTests.shop("grpc", "grpc"), grpc));
  }
}
